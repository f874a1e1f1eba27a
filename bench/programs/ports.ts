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

/** What a ProxyPorts is given. */
export interface PortSet {
  ports: Record<string, Omit<Port, "zone">>;
  defaults: Pick<Port, "zone">;
}

/** A set for each manager that has a port, with what leads to it. */
export const sets: readonly (PortSet & { manager?: string })[] = fleet.flatMap((connection, place) => {
  const own = ports.filter((_, index) => index % fleet.length === place);
  if (own.length === 0) return [];
  const declared = own.map(({ port, country }) => [`port-${port}`, { port, country }]);
  return [{ ports: Object.fromEntries(declared), defaults: { zone: "bench" }, ...connection }];
});
