/** What the ports of every program of the benchmark are like; the environment says how many, and in which countries. */
export interface Port {
  port: number;
  zone: string;
  country: string;
}

const { BENCH_PORTS, BENCH_FIRST_COUNTRY = "us", BENCH_COUNTRY = "us" } = process.env;

export const ports: readonly Port[] = Array.from({ length: Number(BENCH_PORTS) }, (_, index) => ({
  port: 30_000 + index,
  zone: "bench",
  country: index === 0 ? BENCH_FIRST_COUNTRY : BENCH_COUNTRY,
}));
