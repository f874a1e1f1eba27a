import type { Simulator } from "../../../simulator";
import { Held } from "../../../src/cli/account/held";
import { type ChosenSources, partlyChosen, sources } from "../../../src/cli/account/source";
import type { Report } from "../../../src/cli/report/model";
import { type Days, periodOf } from "../../../src/cli/report/period";
import { makeReport } from "../../../src/cli/report/report";
import { readSettings } from "../../../src/settings/settings";
import { NOW } from "./account";

interface Wanted {
  environment?: NodeJS.ProcessEnv;
  days?: Partial<Days>;
  states?: readonly unknown[];
  only?: Partial<ChosenSources>;
  onRead?: (title: string, done: number, all: number) => void;
}

/** The report on what a simulator, or an environment, leads to. */
export async function reportOn(simulator: Simulator, wanted: Wanted = {}): Promise<Report> {
  const { environment = simulator.environment(), days = {}, states = [], onRead = () => {} } = wanted;
  const chosen = { accounts: undefined, managers: undefined, ...wanted.only };
  const settings = readSettings(() => undefined, environment);
  return makeReport({
    period: periodOf(days, NOW),
    madeAt: NOW,
    sources: sources(settings, chosen),
    partlyRead: partlyChosen(settings, chosen),
    held: new Held(states, settings),
    stackOptions: states.length === 0 ? [] : ["--stack dev"],
    onRead,
  });
}

/** What stacks hold of these resources, by kind, name and id. */
export const stateOf = (
  ...resources: readonly (readonly [kind: string, name: string, id: string, outputs?: object])[]
) => ({
  version: 3,
  deployment: {
    resources: resources.map(([kind, name, id, outputs = {}]) => {
      const type = `pulumi-nodejs:dynamic/brightdata:${kind}`;
      return { urn: `urn:pulumi:dev::shop::${type}::${name}`, type, id, outputs };
    }),
  },
});
