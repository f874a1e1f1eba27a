import type { Step } from "../../lifecycle/lifecycle";
import { lossOf } from "../../lifecycle/settle";
import { mayMeanNoZone, saysNoZone } from "../../remote/absence";
import type { ZoneDetails } from "../../remote/zones";
import { believed, type Inputs, type State, stateOf } from "./state";

// A new zone takes a moment to become readable, and until then reads like one that does not exist.
export async function visible(
  name: string,
  step: Step,
  signal = step.deadline.signal,
): Promise<ZoneDetails | undefined> {
  try {
    return await step.context.remote.zones.get(name, { signal });
  } catch (error) {
    if (!mayMeanNoZone(error)) throw error;
    if (!saysNoZone(error)) step.deadline.passOver(error);
    return undefined;
  }
}

/**
 * @param switched whether the program has a say in whether the zone is on
 * @param fail what is thrown once it may have been switched
 */
export async function sync(
  name: string,
  inputs: Inputs,
  switched: boolean,
  step: Step,
  fail: (cause: unknown) => never = rethrow,
): Promise<State> {
  const { context, deadline } = step;
  const title = `zone ${JSON.stringify(name)}`;
  const look = () => believed(inputs, () => visible(name, step));
  let live = await deadline.poll(`waiting for ${title} to become visible`, look);
  const disabled = inputs.disabled === true;
  if (switched && live.disabled !== disabled) {
    const loss = await lossOf(context.remote.zones.setDisabled(name, disabled, deadline), step);
    if (loss !== undefined) fail(loss);
    const waiting = `waiting for ${title} to be ${disabled ? "disabled" : "enabled"}`;
    const isDone = (found: ZoneDetails | undefined) => (found?.disabled === disabled ? found : undefined);
    live = await deadline.poll(waiting, () => look().then(isDone)).catch(fail);
  }
  context.zones.forget();
  return stateOf(inputs, live);
}

function rethrow(cause: unknown): never {
  throw cause;
}
