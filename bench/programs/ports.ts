/** What the ports of every program of the benchmark are like; the environment says how many, where, and in which countries. */
export interface Port {
  port: number;
  zone: string;
  country: string;
}

const { BENCH_PORTS, BENCH_FIRST_COUNTRY = "us", BENCH_COUNTRY = "us", BRIGHTDATA_MANAGERS = "{}" } = process.env;

export const ports: readonly Port[] = Array.from({ length: Number(BENCH_PORTS) }, (_, index) => ({
  port: 30_000 + index,
  zone: "bench",
  country: index === 0 ? BENCH_FIRST_COUNTRY : BENCH_COUNTRY,
}));

/** The named managers; without any, the one that has no name. */
const managers: readonly { manager?: string }[] = Object.keys(JSON.parse(BRIGHTDATA_MANAGERS)).map((manager) => ({
  manager,
}));
export const fleet = managers.length > 0 ? managers : [{}];
