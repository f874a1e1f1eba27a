import { expect, it } from "vitest";
import { type Declaration, type Scene, scene } from "./harness";

const OFFICE = "203.0.113.7";

/** A zone with a given name and one with an automatic name, each with a list of clients and IPs on it. */
const NAMES = ["named", "automatic"];

const program: Declaration[] = NAMES.flatMap((name): Declaration[] => {
  const zone = { $output: [name, "name"] };
  const given = name === "named" ? { name: "by_name" } : {};
  return [
    { kind: "Zone", name, args: { ...given, plan: { type: "static", ips: 2 } } },
    { kind: "ZoneAccess", name: `${name}-access`, args: { zone, allowedIps: [OFFICE] } },
    { kind: "ZoneIps", name: `${name}-ips`, args: { zone, count: 3 } },
  ];
});

async function standing(): Promise<Scene & { forced: string[] }> {
  const made = await scene();
  made.stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
  made.declare(...program);
  await made.stack.expect("up");
  const urns = (await made.stack.resources()).map(({ urn }) => urn);
  return { ...made, forced: urns.filter((urn) => NAMES.includes(urn.split("::").at(-1) ?? "")) };
}

const WAYS: Record<string, (made: Scene & { forced: string[] }) => Promise<string[]>> = {
  "up --replace": async ({ forced }) => forced.flatMap((urn) => ["--replace", urn]),
  "state taint": async ({ stack, forced }) => {
    await stack.taint(...forced);
    return [];
  },
};

it.each(Object.keys(WAYS))(
  "a zone that is replaced by force is never open to everybody with passwords that are valid: by `%s`",
  async (way) => {
    const made = await standing();
    const { simulator, stack } = made;
    const { account, remote } = simulator;
    const old = account.liveZones();
    remote.service.requests.length = 0;
    await stack.expect("up", ...((await WAYS[way]?.(made)) ?? []));
    const deletions = remote.service.requests.filter(({ method }) => method === "DELETE");
    expect(deletions.map(({ path }) => path)).not.toContain("/zone/whitelist");
    expect(old).toMatchObject(old.map(() => ({ status: "deleted", ips: [OFFICE] })));
    const fresh = account.liveZones();
    expect(fresh).toMatchObject(NAMES.map(() => ({ ips: [OFFICE], plan: { ips: 5 } })));
    await stack.expect("preview", "--expect-no-changes");
  },
);
