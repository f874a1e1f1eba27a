import { ProxyPort } from "pulumi-brightdata";

const count = Number(process.env.BENCH_PORTS);
for (let index = 0; index < count; index++) {
  new ProxyPort(`port-${index}`, { port: 30_000 + index, zone: "bench", country: "us" });
}
