import type { JsonObject } from "../../src/base/json.ts";
import { Chance } from "./chance.mts";
import type { Interruption } from "./engine.mts";
import { HALF_TRUTHS, REFUSALS } from "./faults.mts";
import type { Hand, History, RunStep, Step, Up } from "./history.mts";
import { JOBS } from "./jobs.mts";
import { PROVIDERS } from "./playing.mts";
import { type Resource, urnOf } from "./program.mts";

/** Something that happens in some histories besides what their stacks do. */
interface Sort {
  says: string;
  /** It is in one history of so many. */
  oneIn: number;
  /** Why it is not drawn: what it finds, which is not mended. A history that shows it is in `kept-red`. */
  off?: string;
  put(history: History, chance: Chance): void;
}

/** All that can happen, by name. A switch that is off has its reason, and goes when that does. */
export const WORLD: Readonly<Record<string, Sort>> = {
  refusals: {
    says: "A service refuses: with any 4xx, or with 200 and an error.",
    oneIn: 4,
    put: (history, chance) => trouble(history, chance, Object.keys(REFUSALS)),
  },
  halfTruths: {
    says: "A list is empty, or shorter than what there is.",
    oneIn: 4,
    put: (history, chance) => trouble(history, chance, Object.keys(HALF_TRUTHS)),
  },
  lateZones: {
    says: "A new zone is visible late.",
    oneIn: 8,
    put: (history, chance) =>
      someRun(history, chance, () => ({ late: { zoneMs: chance.pick([1000, 8000, 35_000, 70_000]) } })),
  },
  lateIps: {
    says: "New IPs are listed late.",
    oneIn: 8,
    put: (history, chance) => someRun(history, chance, () => ({ late: { ipReads: chance.pick([1, 3, 10, 40]) } })),
  },
  hands: {
    says: "Others make, change, delete and exchange things between runs.",
    oneIn: 3,
    put: (history, chance) => {
      for (let count = 1 + chance.below(3); count > 0; count--) insert(history, chance, handIn(history, chance, ACTS));
    },
  },
  remakes: {
    says: "Others make a thing anew under its name.",
    oneIn: 6,
    put: (history, chance) => insert(history, chance, handIn(history, chance, ["remake"])),
  },
  forgetfulManager: {
    says: "A manager loses its configuration.",
    oneIn: 10,
    put: (history, chance) => insert(history, chance, handIn(history, chance, ["forget"])),
  },
  handsMeanwhile: {
    says: "Others make, change, delete and exchange things during a run.",
    oneIn: 6,
    put: (history, chance) =>
      someRun(history, chance, (run) =>
        run.trouble === undefined ? { meanwhile: { after: chance.below(10), hand: handOf(chance, ACTS) } } : {},
      ),
  },
  strangerInTrouble: {
    says: "Another account's token, while something goes wrong.",
    oneIn: 8,
    put: (history, chance) => {
      const what = chance.pick(["up", "refresh", "destroy"] as const);
      const fault = chance.pick(["500 before", "lost before", "429", "refused 403", "refused 404", "empty list"]);
      const trouble = { at: "remote" as const, after: chance.below(4), fault, times: 1 + chance.below(40) };
      insert(history, chance, { do: "stranger", stack: chance.below(history.stacks.length), what, trouble });
    },
  },
  elsewhere: {
    says: "Another machine's manager, which has such ports of its own.",
    oneIn: 8,
    put: (history, chance) => {
      const what = chance.pick(["up", "refresh", "destroy"] as const);
      insert(history, chance, { do: "elsewhere", stack: chance.below(history.stacks.length), what });
    },
  },
  providerDies: {
    says: "The provider dies alone.",
    oneIn: 8,
    put: (history, chance) => someRun(history, chance, () => ({ interruption: aloneBy("provider", chance) })),
  },
  engineDies: {
    says: "The engine dies alone, and its provider finds out.",
    oneIn: 8,
    put: (history, chance) => someRun(history, chance, () => ({ interruption: aloneBy("engine", chance) })),
  },
  apartUnseen: {
    says: "The engine dies, and its provider does not find out.",
    oneIn: 12,
    put: (history, chance) =>
      someRun(history, chance, () => ({
        interruption: { by: "engine unseen", when: chance.pick(["request", "answer"]), after: chance.below(8) },
      })),
  },
  busy: {
    says: "A provider's event loop is blocked for up to a second.",
    oneIn: 4,
    put: (history, chance) => everyRun(history, () => ({ busyMs: 50 + chance.below(950) })),
  },
  clock: {
    says: "The machine's clock is set back.",
    oneIn: 8,
    put: (history, chance) =>
      insert(history, chance, { do: "clock", backMs: chance.pick([500, 20_000, 3_600_000, 90_000_000]) }),
  },
  unreadable: {
    says: "Notes cannot be read.",
    oneIn: 10,
    put: (history, chance) => someRun(history, chance, () => ({ notes: "unreadable" })),
  },
  unwritable: {
    says: "Notes cannot be written.",
    oneIn: 10,
    put: (history, chance) => someRun(history, chance, () => ({ notes: "unwritable" })),
  },
  parallel: {
    says: "--parallel",
    oneIn: 4,
    put: (history, chance) => everyRun(history, () => ({ parallel: chance.pick([1, 1, 2, 4]) })),
  },
  dependencies: {
    says: "Resources depend on others.",
    oneIn: 4,
    put: (history, chance) => {
      const salt = chance.below(1000);
      everyProgram(history, (program) => program.map((resource, index) => dependent(resource, program, index, salt)));
    },
  },
  names: {
    says: "A connection gets another name, and loses it again, for the same service.",
    oneIn: 6,
    put: (history, chance) => changing(history, chance, (resource, isSet) => (isSet ? named(resource) : resource)),
  },
  providers: {
    says: "Resources go to explicit providers of the same services, which have a process each, and to others.",
    oneIn: 6,
    put: (history, chance) =>
      changing(history, chance, (resource, isSet) =>
        isSet ? { ...resource, provider: chance.pick(PROVIDERS) } : resource,
      ),
  },
  oneUrl: {
    says: "All accounts are at one address.",
    oneIn: 4,
    put: (history) => {
      history.oneUrl = true;
    },
  },
  ownZones: {
    says: "IPs, passwords and access of zones that the program makes itself, and that they may be deleted with.",
    oneIn: 4,
    put: (history, chance) => {
      const [salt, isWith] = [chance.below(1000), chance.oneIn(2)];
      everyProgram(history, (program) => ownZones(program, salt, isWith));
    },
  },
  takenOverLate: {
    says: "What a later resource of the program takes over is judged, too.",
    oneIn: 8,
    put: (history, chance) => {
      history.strict = [...(history.strict ?? []), "late"];
      takeOver(history, chance);
    },
  },
  busySwaps: {
    says: "Two resources swap names, on a machine that is busy.",
    oneIn: 8,
    put: (history, chance) => {
      history.strict = [...(history.strict ?? []), "late"];
      swap(history, chance);
    },
  },
  takenOverUntold: {
    says: "So is what resources have that are no targets of a run.",
    oneIn: 8,
    put: (history, chance) => {
      history.strict = [...(history.strict ?? []), "untold"];
      takeOver(history, chance);
    },
  },
  jobs: {
    says: "Resources that do something once: collections, deliveries, refreshes, restarts.",
    oneIn: 3,
    put: (history, chance) => {
      const text = JSON.stringify(history.steps);
      const isBanned = text.includes("BannedIp") || text.includes('"ban"');
      // A restart lifts bans.
      const kinds = Object.keys(JOBS).filter((kind) => !(kind === "ManagerRestart" && isBanned));
      const [one, other] = [chance.pick(kinds), chance.pick(kinds)];
      everyRun(history, (run) => {
        if (run.do !== "up") return {};
        const jobs = [...new Set([one, other])].filter((kind) => run.stack === 0 || kind !== "PortIpRefresh");
        const made = jobs.map((kind) => ({ kind, name: "job", args: JOBS[kind]?.draw(chance, run.stack) ?? {} }));
        return { program: [...run.program, ...made] } satisfies Partial<Up>;
      });
    },
  },
  unannounced: {
    says: "What the program takes over cannot be written where it announces that, or not be read there.",
    oneIn: 8,
    put: (history, chance) => {
      // Another has drawn resources of these names.
      if (history.strict !== undefined) return;
      history.strict = ["late"];
      const how: Partial<Up> = chance.pick([{ full: true }, { notes: "unwritable" }, { notes: "unreadable" }]);
      (chance.oneIn(2) ? takeOver : swap)(history, chance, how);
    },
  },
  continueOnError: {
    says: "--continue-on-error, and now and then with a program whose SDK takes a failure with an id for success.",
    oneIn: 8,
    put: (history, chance) => {
      const isOld = chance.oneIn(3);
      everyRun(history, (run) => (run.do === "up" ? { continueOnError: true, ...(isOld && { isOldSdk: true }) } : {}));
    },
  },
};

const aloneBy = (by: Interruption["by"], chance: Chance): Interruption => ({
  by,
  when: chance.pick(["after call", "recorded", "request", "answer"]),
  after: chance.below(8),
});

const ACTS: readonly Hand["act"][] = ["make", "change", "delete", "delete", "exchange"];

const THINGS: readonly Hand["what"][] = ["zone", "ip", "ip", "password", "allowed", "port", "port", "ui", "ban"];

function handOf(chance: Chance, acts: readonly Hand["act"][]): Hand {
  const act = chance.pick(acts);
  const what = act === "forget" ? "all" : act === "exchange" ? "ip" : chance.pick(THINGS);
  const isRemade = act === "remake" && what !== "zone" && what !== "port";
  return { act, what: isRemade ? "port" : what, pick: chance.below(100) };
}

const handIn = ({ stacks }: History, chance: Chance, acts: readonly Hand["act"][]): Step => ({
  do: "hand",
  service: chance.pick(stacks).service,
  hand: handOf(chance, acts),
});

const isRun = (step: Step): step is RunStep => step.do === "up" || step.do === "refresh" || step.do === "destroy";

function everyRun(history: History, put: (run: RunStep) => Partial<RunStep>): void {
  const changed = (run: RunStep): RunStep => ({ ...run, ...put(run) }) as RunStep;
  history.steps = history.steps.map((step) => {
    if (step.do === "both") return { ...step, runs: [changed(step.runs[0]), changed(step.runs[1])] };
    return isRun(step) ? changed(step) : step;
  });
}

function someRun(history: History, chance: Chance, put: (run: RunStep) => Partial<RunStep>): void {
  const number = history.steps.filter((step) => isRun(step) || step.do === "both").length;
  const chosen = chance.below(number);
  let index = 0;
  everyRun(history, (run) => (index++ === chosen ? put(run) : {}));
}

function everyProgram(history: History, change: (program: Resource[]) => Resource[]): void {
  everyRun(history, (run) => (run.do === "up" ? ({ program: change(run.program) } satisfies Partial<Up>) : {}));
}

/** Changes about half of the resources in about half of the programs. */
function changing(history: History, chance: Chance, change: (resource: Resource, isSet: boolean) => Resource): void {
  const salt = chance.below(1000);
  everyProgram(history, (program) => {
    const isSet = chance.oneIn(2);
    return program.map((resource) => change(resource, isSet && numberOf(resource, salt) % 2 === 0));
  });
}

/** In some run, a resource takes another name, and a later one takes over what it had. */
function takeOver(history: History, chance: Chance, how: Partial<Up> = {}): void {
  const isNamed = ({ kind, args }: Resource) =>
    (kind === "Zone" || kind === "ProxyPort") && (args.name ?? args.port ?? "taken") !== "taken";
  const index = history.steps.findIndex((step, place) => place > 0 && step.do === "up" && step.program.some(isNamed));
  const step = history.steps[index];
  if (step?.do !== "up") return;
  const one = chance.pick(step.program.filter(isNamed));
  const fresh = one.kind === "Zone" ? { name: `gamma${step.stack}` } : { port: 24_009 + 10 * step.stack };
  const program = step.program.map((each) => (each === one ? { ...one, args: { ...one.args, ...fresh } } : each));
  const { together: _, target: __, replace: ___, ...rest } = step;
  const taker = { kind: one.kind, name: "taker", args: { ...one.args, adopt: true } };
  const before: Up = { do: "up", stack: step.stack, program: [one] };
  history.steps.splice(index, 1, before, { ...rest, program: [...program, taker], ...how });
}

/** What stands on a zone stands on one of the program, as long as that has one. */
function ownZones(program: readonly Resource[], salt: number, isWith: boolean): Resource[] {
  const zone = program.find(({ kind, args }) => kind === "Zone" && args.name !== undefined && args.name !== "taken");
  if (zone === undefined) return [...program];
  const urn = urnOf(zone.kind, zone.name);
  const standing = (resource: Resource): Resource => ({
    ...resource,
    args: { ...resource.args, zone: zone.args.name },
    dependsOn: [urn],
    ...(isWith && { deletedWith: urn }),
  });
  const isMoved = (resource: Resource) =>
    /^Zone(Ips|Access|Password)$/.test(resource.kind) && numberOf(resource, salt) % 2 === 0;
  // What depends on another comes after it.
  const others = program.filter((each) => each !== zone);
  return [zone, ...others.map((each) => (isMoved(each) ? standing(each) : each))];
}

/** In some run, two resources swap their names. */
function swap(history: History, chance: Chance, how: Partial<Up> = {}): void {
  const index = history.steps.findIndex((step, place) => place > 0 && step.do === "up");
  const step = history.steps[index];
  if (step?.do !== "up") return;
  const { stack } = step;
  const plan = { type: "static", ipsType: "shared", country: "us" };
  const [kind, one, other] = chance.oneIn(2)
    ? ["Zone", { plan, name: `gamma${stack}` }, { plan, name: `delta${stack}` }]
    : ["ProxyPort", { zone: "web", port: 24_008 + 10 * stack }, { zone: "web", port: 24_009 + 10 * stack }];
  const made = (name: string, args: JsonObject): Resource => ({ kind, name, args: { ...args, adopt: true } });
  const { target: _, replace: __, ...rest } = step;
  const program = [made("swapped", other), ...step.program, made("swapping", one)];
  const before: Up = { do: "up", stack, program: [made("swapped", one), made("swapping", other)] };
  history.steps.splice(index, 1, before, { ...rest, program, together: true, busyMs: 100 + chance.below(900), ...how });
}

const REMOTE_KINDS = /^(Zone|DatasetCollection|SnapshotDelivery)/;

const named = (resource: Resource): Resource => {
  const argument = REMOTE_KINDS.test(resource.kind) ? "account" : "manager";
  return { ...resource, args: { ...resource.args, [argument]: "same" } };
};

/** The same for a resource in every run. */
function numberOf({ kind, name }: Resource, salt: number): number {
  return [...`${salt}${urnOf(kind, name)}`].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}

function trouble(history: History, chance: Chance, faults: readonly string[]): void {
  someRun(history, chance, (run) => {
    const at = chance.pick(["remote", "manager"] as const);
    const times = 1 + chance.below(chance.pick([1, 3, 12]));
    const drawn = { at, after: chance.below(8), fault: chance.pick(faults), times };
    return run.trouble === undefined ? { trouble: drawn } : {};
  });
}

/** Not before the first step: something has to be there. */
function insert({ steps }: History, chance: Chance, step: Step): void {
  steps.splice(1 + chance.below(steps.length), 0, step);
}

/** The same resource depends on the same other one in every run, as far as both are in its program. */
function dependent(resource: Resource, program: readonly Resource[], index: number, salt: number): Resource {
  const number = numberOf(resource, salt);
  const other = program[number % program.length];
  if (number % 3 !== 0 || other === undefined || program.indexOf(other) >= index) return resource;
  return { ...resource, dependsOn: [urnOf(other.kind, other.name)] };
}

/**
 * The history with what happens besides.
 *
 * @param only what is to happen in it, and nothing else; default: what chance has, of all that is switched on
 */
export function amid(history: History, only?: readonly string[]): History {
  for (const [index, [name, { oneIn, off, put }]] of Object.entries(WORLD).entries()) {
    const chance = new Chance(history.seed * 64 + index + 3);
    const isDrawn = chance.oneIn(oneIn);
    if (only === undefined ? isDrawn && off === undefined : only.includes(name)) put(history, chance);
  }
  return history;
}
