import type { LoggedRequest } from "../../simulator";
import { claim } from "./claim";
import type { Declaration } from "./engine";
import { OUTAGE_MS, type Trouble } from "./faults";
import type { Sample } from "./sample";
import { onScene, type Scene } from "./scene";
import { machine } from "./served";

/** What is done when the trouble comes. */
export interface Operation {
  name: string;
  /** How many creations, and what besides, may have been paid for in the end. */
  creations: number;
  /** Makes what is there before. */
  begin(scene: Scene): Promise<void>;
  run(scene: Scene): Promise<unknown>;
  /** The program that is wanted in the end; none when the resource is to be gone. */
  wanted(scene: Scene): Promise<Declaration[]>;
}

const begun = async (scene: Scene): Promise<void> => {
  await scene.up(await scene.program());
  scene.leftOf(scene.entry.outputs);
};

const changing = (name: string, change: string, creations: number): Operation => {
  const wanted = (scene: Scene) => scene.program(scene.changed(change));
  return {
    name,
    creations,
    begin: begun,
    run: async (scene) => scene.engine.up(await wanted(scene)),
    wanted,
  };
};

/** The operations that the trouble can hit with a sample. */
export function operationsOf({ changes }: Sample): Operation[] {
  const change = (replaces: boolean) =>
    Object.keys(changes).find((name) => (changes[name]?.replaces === true) === replaces && name !== "timeouts");
  const [updating, replacing] = [change(false) ?? "timeouts", change(true)];
  return [
    {
      name: "create",
      creations: 1,
      begin: async () => {},
      run: async (scene) => scene.engine.up(await scene.program()),
      wanted: (scene) => scene.program(),
    },
    {
      name: "read",
      creations: 1,
      begin: begun,
      run: ({ engine }) => engine.refresh(),
      wanted: (scene) => scene.program(),
    },
    changing("update", updating, 1),
    ...(replacing === undefined ? [] : [changing("replace", replacing, 2)]),
    { name: "delete", creations: 1, begin: begun, run: ({ engine }) => engine.destroy(), wanted: async () => [] },
  ];
}

export const SERVICES = ["remote", "manager"] as const;

/** One request of an operation, that something can happen to. */
export interface Target {
  service: (typeof SERVICES)[number];
  /** How many requests of the operation reach that service before it. */
  index: number;
}

export interface SeenTarget extends Target {
  method: string;
  path: string;
}

/** The requests of an operation when nothing happens to it. */
export async function targetsOf(sample: Sample, operation: Operation): Promise<SeenTarget[]> {
  const targets: SeenTarget[] = [];
  await onScene(sample, async (scene) => {
    await operation.begin(scene);
    const { simulator } = scene;
    for (const service of SERVICES) simulator[service].service.requests.length = 0;
    await operation.run(scene);
    for (const service of SERVICES) {
      const target = ({ method, path }: LoggedRequest, index: number) => ({ service, index, method, path });
      targets.push(...simulator[service].service.requests.map(target));
    }
  });
  return targets;
}

/** The request that an operation is about: the first that changes something. */
export const mainOf = (targets: readonly SeenTarget[]): SeenTarget | undefined =>
  targets.find(({ method, path }) => method !== "GET" || path.endsWith("gen_token")) ?? targets[0];

/** How it came out: all was as declared in the end, or a person was told what cannot be known and what to do. */
export type Ending = "converged" | "told";

/**
 * Something happens to one request of an operation. Whatever came of it: once it is over, what a person does anyway leads to
 * what was declared, once, paid for once, and to nothing when it is destroyed.
 */
export async function survives(
  sample: Sample,
  operation: Operation,
  target: Target,
  trouble: Trouble,
): Promise<Ending> {
  let ending: Ending = "converged";
  await onScene(sample, async (scene) => {
    await operation.begin(scene);
    strike(scene, target, trouble);
    await operation.run(scene);
    scene.calmDown();
    await scene.passes(trouble.lasts);
    const wanted = await operation.wanted(scene);
    const { errors } = await scene.engine.up(wanted);
    if (errors.length > 0 && scene.mayNotKnow(trouble.name)) {
      ending = "told";
    } else {
      claim("errors of up", errors, []);
      if (wanted.length > 0) await scene.settles(wanted);
    }
    scene.hasPaid(operation.creations, besides(sample, operation));
    await scene.ends();
  });
  return ending;
}

const besides = ({ changes }: Sample, { name }: Operation) =>
  name === "update" ? Object.values(changes).find(({ replaces }) => replaces === undefined)?.price : undefined;

/** Puts trouble in the way of a request to come. */
export function strike({ simulator }: Scene, { service, index }: Target, { fault, outage }: Trouble): void {
  const { faults } = simulator[service].service;
  faults.add({ ...fault, after: index });
  if (!outage) return;
  faults.add({ kind: "reset", after: index, times: Number.POSITIVE_INFINITY });
  machine.time.set(machine, () => faults.clear(), OUTAGE_MS);
}
