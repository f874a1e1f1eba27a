import { describe, expect, it } from "vitest";
import { bringUp, type InlineDeclaration } from "./inlinePrograms";
import { FORMS } from "./nativeScene";

const zone = (name: string, more: Partial<InlineDeclaration> = {}, args: object = {}): InlineDeclaration => ({
  ...{ kind: "Zone", name, args: { name: "web", plan: { type: "static", ipsType: "shared", ips: 1 }, ...args } },
  ...more,
});

const ips = (count: number, more: Partial<InlineDeclaration> = {}): InlineDeclaration => ({
  ...{ kind: "ZoneIps", name: "ips", args: { zone: "web", count, timeouts: { update: 2 } } },
  ...more,
});

const ports = (keys: string, more: Partial<InlineDeclaration> = {}): InlineDeclaration => {
  const entries = [...keys].map((key, index) => [key, { port: 24_001 + index, zone: "web" }]);
  return { ...{ kind: "ProxyPorts", name: "ports", args: { ports: Object.fromEntries(entries) } }, ...more };
};

const REFUSED = { kind: "respond", status: 400 } as const;

const creating = { ...REFUSED, method: "POST", path: "/api/proxies" };

const disabling = { ...REFUSED, method: "POST", path: "/zone/change_disable" };

/** Until the next update, the engine keeps a failure whose repetition has succeeded as an error of the resource. */
const andOnce = <T>(last: T): [T, T] => [last, last];

describe.each(FORMS)("with hooks of the program (%s)", (form) => {
  it("IPs of which it is unknown whether they were added are not added twice where an error hook repeats that", async () => {
    const grown = ips(4, { repeated: 1 });
    const programs = [ips(2), ...andOnce(grown)].map((declaration) => ({ declarations: [declaration] }));
    const { simulator, stdout, changes } = await bringUp(programs, {
      form,
      prepare: ({ account, remote }) => {
        account.addZone("web", { type: "static", ips: 1 });
        remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "hang-after", after: 1 });
      },
    });
    expect(stdout).toContain("once more: ips");
    expect(simulator.account.zones.get("web")?.allocatedIps).toHaveLength(5);
    expect(changes).toEqual(["POST /zone/ips", "POST /zone/ips"]);
  });

  it("ports of a set that were made are known where an error hook repeats its update", async () => {
    const { simulator, stdout } = await bringUp(
      ["a", ...andOnce("abc")].map((keys) => ({ declarations: [ports(keys, { repeated: 1 })] })),
      {
        form,
        prepare: ({ account, manager }) => {
          account.addZone("web", { type: "static", ips: 1 });
          manager.service.faults.add({ ...creating, containing: "24003" });
        },
      },
    );
    expect(stdout).toContain("once more: ports");
    const { method, path } = creating;
    const made = simulator.manager.service.requests.filter((each) => each.method === method && each.path === path);
    expect(made).toHaveLength(4);
  });

  it("a zone that was made in part gets the rest where an error hook repeats its creation", async () => {
    const { stdout, changes } = await bringUp([{ declarations: [zone("web", { repeated: 1 }, { disabled: true })] }], {
      form,
      prepare: ({ remote }) => remote.service.faults.add(disabling),
    });
    expect(stdout).toContain("once more: web");
    expect(changes).toEqual(["POST /zone", "POST /zone/change_disable", "POST /zone/change_disable"]);
  });

  it("a zone that was made in part is kept where all that an error hook repeats fails", async () => {
    const declarations = [zone("web", { repeated: 2 }, { disabled: true })];
    const { changes } = await bringUp([{ declarations, fails: true }, { declarations }], {
      form,
      prepare: ({ remote }) => remote.service.faults.add({ ...disabling, times: 3 }),
    });
    expect(changes.filter((change) => change === "POST /zone")).toHaveLength(1);
  });

  it("a zone renamed without `aliases` is kept where a hook keeps its new resource from being made", async () => {
    const { changes } = await bringUp(
      [
        { declarations: [zone("web")] },
        { declarations: [zone("site", { refused: "not today" })], options: { continueOnError: true }, fails: true },
        { declarations: [zone("web")] },
      ],
      { form },
    );
    expect(changes).toEqual(["POST /zone"]);
  });
});
