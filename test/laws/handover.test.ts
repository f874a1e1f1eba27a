import { describe, expect, test } from "vitest";
import type { Simulator } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import { claim } from "./claim";
import type { Declaration, Entry } from "./engine";
import { declared, type Sample } from "./sample";
import { SAMPLES } from "./samples";
import { NOTHING, onScene, type Scene } from "./scene";

/** A resource of a program, by its name there: a port, or a set of ports by their keys. */
interface Wanted {
  port?: number;
  iface?: string;
  ports?: Record<string, JsonObject>;
  zone?: string;
  adopt?: boolean;
}

type Program = Record<string, Wanted>;

const PORT = SAMPLES.ProxyPort?.[0] as Sample;
const SET = SAMPLES.ProxyPorts?.[0] as Sample;

/** How the resources follow each other, where all are checked first and where each waits for the one before it. */
const ORDERS = ["each in turn", "each in turn, backwards", "at once", "one by one", "one by one, backwards"] as const;
type Order = (typeof ORDERS)[number];

async function declarations(program: Program, order: Order): Promise<Declaration[]> {
  const made = Object.entries(program).map(([name, { ports, zone = "web", adopt, ...rest }]) => {
    const more = { ...rest, ...(adopt === undefined ? {} : { adopt }) };
    return ports === undefined
      ? declared(PORT, name, { zone, ...more })
      : declared(SET, name, { defaults: { zone }, ports, ...more });
  });
  const all = await Promise.all(made);
  return order.endsWith("backwards") ? all.reverse() : all;
}

async function up({ engine }: Scene, program: Program, order: Order): Promise<string[]> {
  const all = await declarations(program, order);
  const { errors } = order.startsWith("each")
    ? await engine.up(all)
    : await engine.upTogether(all, order === "at once" ? order : "one by one");
  return errors;
}

const numbersOf = ({ outputs: { port, ports } }: Entry): number[] =>
  ports === undefined ? [Number(port)] : Object.values(ports as Record<string, { port: number }>).map((it) => it.port);

const FOREIGN = 24_500;

const present = ({ manager }: Simulator): number[] =>
  manager.state.records
    .filter(({ proxy_type, port }) => proxy_type === "persist" && port !== FOREIGN)
    .map(({ port }) => port)
    .sort();

/** Each port that is there is in the state of one resource, and no state has a port that is not there. */
function everyPortHasOneOwner({ engine, simulator }: Scene): void {
  const recorded = engine.state.filter(({ recreated }) => !recreated).flatMap(numbersOf);
  claim("ports in the state, and those that there are", recorded.sort(), present(simulator));
}

const adopting = (program: Program): Program =>
  Object.fromEntries(Object.entries(program).map(([name, wanted]) => [name, { ...wanted, adopt: true }]));

const a = (port: number, more: JsonObject = {}) => ({ a: { port, ...more } });

const HANDOVERS: Record<string, [before: Program, after: Program]> = {
  "two sets swap their numbers": [
    { A: { ports: a(24_000) }, B: { ports: a(24_001) } },
    { A: { ports: a(24_001) }, B: { ports: a(24_000) } },
  ],
  "two ports swap their numbers": [
    { x: { port: 24_000 }, y: { port: 24_001 } },
    { x: { port: 24_001 }, y: { port: 24_000 } },
  ],
  "a set gives a port to a new resource": [
    { A: { ports: { ...a(24_000), b: { port: 24_001 } } } },
    { A: { ports: a(24_000) }, x: { port: 24_001 } },
  ],
  "a set gives a port to another set": [
    { A: { ports: { ...a(24_000), b: { port: 24_001 } } }, B: { ports: a(24_010) } },
    { A: { ports: a(24_000) }, B: { ports: { ...a(24_010), b: { port: 24_001 } } } },
  ],
  "a set gets the number that a port had": [
    { A: { ports: a(24_100) }, x: { port: 24_000 } },
    { A: { ports: { ...a(24_100), b: { port: 24_000 } } }, x: { port: 24_005 } },
  ],
  "a port gets the number that another port had": [
    { x: { port: 24_000 } },
    { x: { port: 24_005 }, y: { port: 24_000 } },
  ],
};

describe.each(Object.entries(HANDOVERS))("where %s", (_, [before, after]) => {
  const cases = ORDERS.flatMap((order) => [false, true].map((adopt) => [order, adopt] as const));

  test.each(cases)("%s, with `adopt` %j, every port has one owner throughout", (order, adopt) =>
    onScene(PORT, async (scene) => {
      claim("errors of up", await up(scene, before, order), []);
      const wanted = adopt ? adopting(after) : after;
      const errors = await up(scene, wanted, order);
      everyPortHasOneOwner(scene);
      if (adopt) claim("errors of up", errors, []);
      // A second attempt finds what has been given up, and knows what the first one could not do; the last does as it is told.
      if ((await up(scene, wanted, "one by one, backwards")).length > 0) {
        everyPortHasOneOwner(scene);
        claim("errors of up", await up(scene, adopting(after), order), []);
      }
      everyPortHasOneOwner(scene);
      claim("errors of up", await up(scene, after, order), []);
      claim("preview", await scene.engine.preview(await declarations(after, order)), NOTHING);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
      claim("what is left", present(scene.simulator), []);
    }),
  );

  test.each(ORDERS)("%s, and the program goes back, nothing is left of it", (order) =>
    onScene(PORT, async (scene) => {
      claim("errors of up", await up(scene, before, order), []);
      await up(scene, after, order);
      claim("errors of up", await up(scene, adopting(before), order), []);
      everyPortHasOneOwner(scene);
      claim("errors of destroy", (await scene.engine.destroy()).errors, []);
      claim("what is left", present(scene.simulator), []);
    }),
  );
});

test.each(ORDERS)(
  "what gets a port, and cannot take it over as it is, leaves it to its owner or gets a new one, %s",
  (order) =>
    onScene(PORT, async (scene) => {
      const before = { A: { ports: { ...a(24_000), b: { port: 24_001 } } } };
      const after = { A: { ports: a(24_000) }, x: { port: 24_001, iface: "lo", adopt: true } };
      claim("errors of up", await up(scene, before, order), []);
      await up(scene, after, order);
      everyPortHasOneOwner(scene);
      claim("errors of up", await up(scene, after, "one by one"), []);
      everyPortHasOneOwner(scene);
      claim("preview", await scene.engine.preview(await declarations(after, order)), NOTHING);
    }),
);

const kept: Record<string, [before: Program, second: Program]> = {
  "a new port": [{ A: { ports: a(24_000) } }, { x: { port: 24_000, zone: "shop", adopt: true } }],
  "a new set": [{ A: { port: 24_000 } }, { x: { ports: a(24_000), zone: "shop", adopt: true } }],
  "a new port, where its own has no number in the program": [
    { A: {} },
    // The manager chooses the one after the highest.
    { x: { port: FOREIGN + 1, zone: "shop", adopt: true } },
  ],
  "a set that there is": [
    { A: { ports: a(24_000) }, B: { ports: a(24_010), zone: "shop" } },
    { B: { ports: { ...a(24_010), b: { port: 24_000, adopt: true } }, zone: "shop" } },
  ],
};

// What comes first cannot know what comes later: a preview tells before anything is done.
test.each(
  Object.entries(kept).flatMap(([name, programs]) =>
    (["each in turn", "at once", "one by one", "one by one, backwards"] as const).map(
      (order) => [name, order, programs] as const,
    ),
  ),
)("a port that a resource keeps is refused to %s that takes it over, %s", (_, order, [before, second]) =>
  onScene(PORT, async (scene) => {
    claim("errors of up", await up(scene, before, order), []);
    const records = () => JSON.stringify(scene.simulator.manager.state.records);
    const known = records();
    const both = { ...before, ...second };
    const foreseen = order.endsWith("backwards")
      ? await scene.engine.preview(await declarations(both, order))
      : NOTHING;
    const errors = foreseen.errors.length > 0 ? foreseen.errors : await up(scene, both, order);
    expect(errors.join()).toMatch(/port \d+ is declared twice|Port \d+ is another resource's of this program/i);
    claim("ports", records(), known);
    everyPortHasOneOwner(scene);
    claim("errors of up", await up(scene, before, order), []);
    claim("preview", await scene.engine.preview(await declarations(before, order)), NOTHING);
  }),
);
