import type { Chance } from "./chance.mts";
import type { Stack, Step } from "./history.mts";
import type { Resource } from "./program.mts";
import {
  anyhow,
  destroy,
  gone,
  hand,
  ips,
  killed,
  planIn,
  port,
  ports,
  resource,
  type Scene,
  up,
  well,
  zone,
} from "./sceneParts.mts";

const password = (name: string): Resource => resource("ZonePassword", name, { zone: "web" });

const given = (name: string): Resource =>
  resource("ZonePassword", name, { zone: "web", password: "Given-Password-00" });

const address = (name: string): Resource => resource("WhitelistIp", name, { ip: "203.0.113.7" });

const collection = (name: string): Resource =>
  resource("DatasetCollection", name, {
    datasetId: "gd_simulated",
    inputs: [{ url: "https://example.com/00" }],
    triggers: ["1"],
  });

/** What is made without a name that anybody could meet it by. */
const ofItsOwn = (chance: Chance): Resource =>
  chance.pick([ips("a", 1 + chance.below(2)), port("a"), ports("a", { a: {} }), password("a"), collection("a")]);

const TWINS: Stack[] = [
  { home: 0, service: 0, backend: 0 },
  { home: 0, service: 0, backend: 1 },
];

/** What runs that were killed leave to those that follow. */
export const KILLED_SCENES: Readonly<Record<string, Scene>> = {
  savedLast: {
    says: "The engine is to save its state at the end, and is killed before that.",
    draw: (chance) => {
      const one = chance.oneIn(4) ? zone("a", { name: "alpha0" }) : ofItsOwn(chance);
      const kill = up([one, port("z", { port: 24_002 })], {
        isSavedLast: true,
        ...killed("request", 4 + chance.below(8)),
      });
      return { steps: [kill, up([one, port("z", { port: 24_002 })], { isSavedLast: true })] };
    },
  },
  anotherBackend: {
    says: "A stack of the same name with another backend does not take what the first was killed in.",
    draw: (chance) => {
      const one = ofItsOwn(chance);
      const kill = chance.pick([killed("recorded", 0), killed("answer", chance.below(8)), { unsaved: 0 }]);
      const steps: Step[] = [up([one], kill), up([one], { stack: 1 }), up([one])];
      return { stacks: TWINS, steps };
    },
  },
  copied: {
    says: "A copy of a stack, with another backend, does not forget what the first was killed in: its state is that of before.",
    draw: (chance) => {
      const one = chance.oneIn(2) ? port("a") : ports("a", { a: {} });
      const elsewhere = { env: { PULUMI_BACKEND_URL: "file:///states/copy" } };
      const steps: Step[] = [
        up([one], killed("recorded", 0)),
        well([one], elsewhere),
        { do: "restore", stack: 0, runs: 2 },
      ];
      return { steps: [...steps, well([one]), gone("port 24912")] };
    },
  },
  lateZone: {
    says: "A zone is visible long after its creation was cut short.",
    draw: (chance) => {
      const one = chance.oneIn(2) ? zone("a") : zone("a", { name: "alpha0" });
      const late = { zoneMs: chance.pick([20_000, 35_000, 60_000]), isLasting: true } as const;
      return {
        steps: [up([one], { late, ...killed("answer", 1 + chance.below(4)) }), up([one], { expects: "success" })],
      };
    },
  },
  lateIps: {
    says: "IPs are listed long after their addition was cut short.",
    draw: (chance) => {
      const one = ips("a", 1 + chance.below(3));
      const late = { ipReads: chance.pick([2, 5, 10]), isLasting: true } as const;
      const kill = up([one], { late, ...killed("answer", 1 + chance.below(4)) });
      return { steps: [kill, up([one], { late })] };
    },
  },
  longAfter: {
    says: "Long after a creation was cut short, somebody else makes the same.",
    draw: (chance) => {
      const [one, what, pick] = chance.pick<readonly [Resource, "ui" | "zone" | "ip", number]>([
        [address("a"), "ui", 0],
        [zone("a", { name: "alpha0", plan: planIn("de") }), "zone", 0],
        [ips("a", 1), "ip", 0],
      ]);
      const kill = up([one], killed("request", chance.below(6)));
      return { steps: [kill, { do: "wait", hours: 24 }, hand("make", what, pick), up([one])] };
    },
  },
  atTheSameTime: {
    says: "Somebody else adds IPs when an addition is cut short.",
    draw: (chance) => {
      const one = ips("a", 1 + chance.below(2));
      const others = Array.from({ length: 1 + chance.below(2) }, () => hand("make", "ip"));
      return { steps: [up([one], killed("answer", 1 + chance.below(4))), ...others, up([one])] };
    },
  },
  anotherAccount: {
    says: "A stack is made anew with another account, at the same address: what it was killed in there is not looked for here.",
    draw: () => {
      const one = ips("a", 2);
      return {
        oneUrl: true,
        stacks: [
          { home: 0, service: 0, backend: 0, name: "dev" },
          { home: 0, service: 1, backend: 0, name: "dev" },
        ],
        steps: [
          up([one], killed("request", 2)),
          ...[0, 2].map((pick) => hand("make", "ip", pick, 1)),
          up([one], { stack: 1 }),
        ],
      };
    },
  },
  livesOn: {
    says: "The engine is killed, and its provider lives on.",
    draw: (chance) => {
      const one = chance.oneIn(3) ? zone("a") : ofItsOwn(chance);
      const after = chance.below(6);
      return {
        steps: [
          up([one], { interruption: { by: "engine unseen", when: chance.pick(["request", "answer"]), after } }),
          up([one]),
        ],
      };
    },
  },
  livesOnSlowly: {
    says: "The same, where the service answers late: the next update waits for it.",
    draw: (chance) => {
      const one = chance.pick([port("a"), ips("a", 1), ports("a", { a: {} }), collection("a"), password("a")]);
      const at = one.kind.startsWith("Proxy") ? ("manager" as const) : ("remote" as const);
      const trouble = { at, after: chance.below(5), fault: "slow", times: 1, isLasting: true } as const;
      const interruption = { by: "engine unseen", when: "answer", after: chance.below(3) } as const;
      return { steps: [up([one], { trouble, interruption }), up([one])] };
    },
  },
  unknownThenAnothers: {
    says: "Whether a port was made is not known, and by then somebody else's has its number: it stays.",
    draw: (chance) => {
      const fault = chance.pick(["silence before", "lost before", "500 before"]);
      const trouble = { at: "manager" as const, after: 1 + chance.below(3), fault, times: 200 };
      const last: Step = chance.oneIn(2) ? destroy() : up([]);
      const one = chance.oneIn(2) ? port("a", { port: 24_000 }) : ports("a", { a: { port: 24_000 } });
      return { steps: [up([one], { trouble }), hand("make", "port"), last] };
    },
  },
  lostAtTheSameTime: {
    says: "Two resources add IPs to a zone at the same time, and an answer is lost.",
    draw: (chance) => {
      const fault = chance.pick(["lost before", "lost after", "500 before"]);
      const count = 1 + chance.below(2);
      const trouble = { at: "remote" as const, after: 2 + chance.below(8), fault };
      return { steps: [up([ips("a", count), ips("b", count)], { together: true, trouble })] };
    },
  },
  removedAfterAKill: {
    says: "What a killed run has made, and its state has, goes without a word of what was cut short.",
    draw: (chance) => {
      const one = ofItsOwn(chance);
      const last = chance.oneIn(2) ? destroy({ expects: "silence" }) : up([], { expects: "silence" });
      return { steps: [up([one], killed("recorded", 0)), last] };
    },
  },
  givenTwice: {
    says: "A given password, or an address, whose creation was cut short is taken up.",
    draw: (chance) => {
      const one = chance.oneIn(2) ? given("a") : address("a");
      return { steps: [up([one], killed("answer", chance.below(5))), well([one], anyhow(chance))] };
    },
  },
  replacedAfterAKill: {
    says: "What a killed run has made is taken up by its own successor.",
    draw: (chance) => {
      const one = chance.oneIn(2) ? port("a") : ofItsOwn(chance);
      const replace = [`${one.kind} a`];
      return { steps: [up([one], killed("recorded", 0)), up([one], { replace, bystander: 1 }), up([one])] };
    },
  },
};
