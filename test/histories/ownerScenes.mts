import type { JsonObject } from "../../src/base/json.ts";
import type { Chance } from "./chance.mts";
import type { Step } from "./history.mts";
import type { Resource } from "./program.mts";
import {
  adopting,
  anyhow,
  destroy,
  gone,
  hand,
  ips,
  NAMED,
  planIn,
  port,
  ports,
  refused,
  resource,
  type Scene,
  there,
  up,
  well,
  zone,
} from "./sceneParts.mts";

/** A thing that a resource has without naming it, and one that names it. */
const PORT = {
  before: [port("a")],
  after: port("a"),
  other: (name: string) => adopting(port(name, { port: 24_911 })),
  thing: "port 24911",
};
const ZONE = {
  before: [zone("a", { name: "alpha0" })],
  after: zone("a"),
  other: (name: string) => adopting(zone(name, { name: "alpha0" })),
  thing: "zone alpha0",
};
const UNNAMED = [PORT, ZONE];

/** What a program comes to that removes it. */
const removal = (chance: Chance): Step => (chance.oneIn(2) ? destroy() : up([]));

/** Whose things are. */
export const OWNER_SCENES: Readonly<Record<string, Scene>> = {
  portMadeByHand: {
    says: "Somebody else's port has the number of one that is gone: it stays.",
    draw: (chance) => {
      const [made, pick] = chance.pick<readonly [Resource, number]>([
        [port("a", { port: 24_000 }), 0],
        [port("a"), 1],
        [ports("a", { a: { port: 24_000 }, b: {} }), 0],
        [ports("a", { a: {} }), 1],
      ]);
      const changed: Resource = made.kind === "ProxyPort" ? { ...made, args: { ...made.args, country: "de" } } : made;
      const rest = chance.pick<Step[]>([
        [removal(chance)],
        [{ do: "refresh", stack: 0 }, removal(chance)],
        [up([changed])],
      ]);
      return { steps: [well([made]), hand("remake", "port", pick), ...rest] };
    },
  },
  portOfAnotherStack: {
    says: "Another stack's port has the number of one that is gone: it stays.",
    draw: (chance) => {
      const first = chance.oneIn(2) ? port("a", { port: 24_000 }) : ports("a", { a: { port: 24_000 } });
      const second = chance.oneIn(2) ? port("b", { port: 24_000 }) : ports("b", { a: { port: 24_000 } });
      return {
        stacks: [
          { home: 0, service: 0, backend: 0 },
          { home: chance.below(2), service: 0, backend: 0 },
        ],
        steps: [
          well([first]),
          hand("delete", "port"),
          well([second], { stack: 1 }),
          removal(chance),
          there("port 24000"),
        ],
      };
    },
  },
  takenOver: {
    says: "A resource takes another name in the program, and takes over what it had.",
    draw: (chance) => {
      const { one, thing } = chance.pick(NAMED);
      return { steps: [well([one("a")]), well([adopting(one("b"))], anyhow(chance)), there(thing)] };
    },
  },
  hasItWithoutAName: {
    says: "One resource has a thing without naming it, and another one is to take it over: it is refused.",
    draw: (chance) => {
      const { before, after, other, thing } = chance.pick(UNNAMED);
      return { steps: [well(before), refused([after, other("b")]), there(thing)] };
    },
  },
  takesItFirst: {
    says: "The same the other way round: what both have by then stays as long as one of them does.",
    draw: (chance) => {
      const { before, after, other, thing } = chance.pick(UNNAMED);
      const left = chance.pick<Step[]>([
        [well([other("b")], anyhow(chance))],
        [well([after], anyhow(chance))],
        [well([other("c")], { refresh: true })],
      ]);
      return { steps: [well(before), refused([other("b"), after]), ...left, there(thing)] };
    },
  },
  bothGo: {
    says: "What two resources have goes when both of them do.",
    draw: (chance) => {
      const { before, after, other, thing } = chance.pick(UNNAMED);
      const last = well([], chance.oneIn(3) ? {} : { refresh: true });
      return { steps: [well(before), refused([other("b"), after]), last, gone(thing)] };
    },
  },
  deletedByTheOther: {
    says: "Of two resources that have one port, one gives it up before the engine tells of the other, which gets another then.",
    draw: (chance) => {
      const { before, after, other } = PORT;
      const last = well([port("b", { port: 24_001 }), after]);
      const steps: Step[] = [well(before), refused([other("b"), after]), last];
      return { steps: [...steps, there("port 24001", "port 24911"), ...(chance.oneIn(2) ? [removal(chance)] : [])] };
    },
  },
  madeAnewByTheOther: {
    says: "Of two resources that have one zone, one makes it anew before the engine tells of the other, which is refused.",
    draw: () => {
      const { before, after, other } = ZONE;
      const anew = zone("b", { name: "alpha0", plan: planIn("de") });
      return { steps: [well(before), refused([other("b"), after]), refused([anew, after]), there("zone alpha0")] };
    },
  },
  takenOverLater: {
    says: "What a later resource of the program takes over is there all the time.",
    draw: (chance) => {
      const [one, fresh, taker] = chance.oneIn(2)
        ? [port("a", { port: 24_000 }), port("a", { port: 24_009 }), adopting(port("b", { port: 24_000 }))]
        : [zone("a", { name: "alpha0" }), zone("a", { name: "gamma0" }), adopting(zone("b", { name: "alpha0" }))];
      const late: Resource = chance.oneIn(2) ? { ...taker, dependsOn: [`${one.kind} a`] } : taker;
      const manner = chance.pick([{}, { parallel: 1 }, { together: true }, { together: true as const, busyMs: 500 }]);
      return { strict: ["late"], steps: [well([one]), well([fresh, late], manner)] };
    },
  },
  twoSetsOfIps: {
    says: "Two resources that take over a zone's IPs do not take the same.",
    draw: (chance) => {
      const [a, b] = [adopting(ips("a", 2)), adopting(ips("b", 1 + chance.below(2)))];
      return { steps: [well([a]), well([b, a], { together: true })] };
    },
  },
  standsOnWhatIsReplaced: {
    says: "What stands on a zone that is made anew is made anew with it.",
    draw: (chance) => {
      const [kind, args, ...things] = chance.pick<[string, JsonObject, ...string[]]>([
        ["ZoneAccess", { allowedIps: ["203.0.113.7"] }, "allowed alpha0/203.0.113.7"],
        ["ZonePassword", { password: "Given-Password-00" }, "password alpha0/Given-Password-00"],
        ["ZonePassword", {}],
        ["ZoneIps", { count: 2 }],
      ]);
      const part = resource(kind, "p", { zone: "alpha0", ...args }, { dependsOn: ["Zone z"] });
      const isForced = chance.oneIn(2);
      const after = isForced ? zone("z", { name: "alpha0" }) : zone("z", { name: "alpha0", plan: planIn("de") });
      const last = well([after, part], isForced ? { replace: ["Zone z"] } : {});
      return { steps: [well([zone("z", { name: "alpha0" }), part]), last, there(...things)] };
    },
  },
  splitSet: {
    says: "A port of a set goes to a resource of its own.",
    draw: (chance) => {
      const left = ports("p", { a: { port: 24_000 } });
      const taker = adopting(port("x", { port: 24_001 }));
      const order = chance.oneIn(2) ? [left, taker] : [taker, left];
      const both = ports("p", { a: { port: 24_000 }, b: { port: 24_001 } });
      const steps: Step[] = [well([both]), well(order, anyhow(chance)), there("port 24000", "port 24001")];
      return { strict: ["late"], steps };
    },
  },
  splitAccess: {
    says: "A list of who may use a zone goes to a resource of its own: the zone is open at no time.",
    draw: (chance) => {
      const [allowed, denied] = [{ allowedIps: ["203.0.113.7"] }, { deniedIps: ["192.0.2.1"] }];
      const left = resource("ZoneAccess", "a", { zone: "web", ...denied });
      const taker = adopting(resource("ZoneAccess", "b", { zone: "web", ...allowed }));
      const late = chance.oneIn(2) ? { ...taker, dependsOn: ["ZoneAccess a"] } : taker;
      const before = well([resource("ZoneAccess", "a", { zone: "web", ...allowed, ...denied })]);
      const steps: Step[] = [before, well([left, late], anyhow(chance)), there("allowed web/203.0.113.7")];
      return { strict: ["late"], steps };
    },
  },
  robbedSet: {
    says: "A port that a set has without naming it goes to a resource of its own.",
    draw: () => {
      const set = ports("p", { a: { port: 24_000 }, b: {} });
      return { steps: [well([set]), up([adopting(port("x", { port: 24_911 })), set]), there("port 24911")] };
    },
  },
  givenUpAndMadeAnew: {
    says: "A port of a set is given up, and another resource makes one of its number.",
    draw: (chance) => {
      const [both, one] = [
        ports("p", { a: { port: 24_000 }, b: { port: 24_001 } }),
        ports("p", { a: { port: 24_000 } }),
      ];
      const last = well([one, port("x", { port: 24_001 })], anyhow(chance));
      return { steps: [well([both]), last, well([one]), gone("port 24001")] };
    },
  },
  thereBefore: {
    says: "What is there before is refused, unless it is to be taken over.",
    draw: (chance) => {
      const one = chance.pick([
        resource("WhitelistIp", "a", { ip: "198.51.100.1" }),
        resource("WhitelistIp", "a", { ip: "198.51.100.2", list: "ports" }),
        zone("a", { name: "taken" }),
        port("a", { port: 24_890 }),
      ]);
      return { steps: [refused([one])] };
    },
  },
  mayNotAsk: {
    says: "A token that may not ask whose it is changes what the state knows the account of.",
    draw: (chance) => {
      const [before, after] = chance.pick([
        [zone("a", { name: "alpha0" }), zone("a", { name: "alpha0", disabled: true })],
        [ips("a", 1), ips("a", 2)],
      ] as const);
      const trouble = { at: "remote" as const, after: 0, fault: "refused 403", times: 1 + chance.below(2) };
      return { steps: [well([before]), up([after], { trouble })] };
    },
  },
  declaredTwice: {
    says: "One thing is declared by two resources: it is refused.",
    draw: (chance) => {
      const { one } = chance.pick(NAMED.slice(0, 3));
      return { steps: [refused([one("a"), adopting(one("b"))], anyhow(chance))] };
    },
  },
  renamedAndBack: {
    says: "A resource is renamed by an alias, and back, while another fails: both names are in the state then.",
    draw: (chance) => {
      const { one } = chance.pick(NAMED);
      const [a, b] = [adopting(one("a")), { ...adopting(one("b")), aliases: ["a"] }];
      return { steps: [well([a]), well([b]), up([a], { bystander: 1, ...anyhow(chance) }), well([a])] };
    },
  },
  moveToAnother: {
    says: "Of two resources that swap their names, neither is lost.",
    draw: (chance) => {
      const [one, other] = chance.oneIn(2)
        ? [(name: string) => zone(name, { name: "alpha0" }), (name: string) => zone(name, { name: "beta0" })]
        : [(name: string) => port(name, { port: 24_000 }), (name: string) => port(name, { port: 24_001 })];
      const after = [adopting(other("a")), adopting(one("b"))];
      return { steps: [well([one("a"), other("b")]), well(after, { together: true })] };
    },
  },
};
