import type { Step } from "../../lifecycle/lifecycle";
import type { GeneralSettings } from "../../model/generalSettings";

/** Settings of a manager with all addresses that another answer lists besides: one alone may be short. */
export async function withWholeLists(
  found: GeneralSettings,
  step: Step,
  signal = step.deadline.signal,
): Promise<GeneralSettings> {
  const other = await step.context.manager.settings.get({ signal });
  const joined = (name: "wwwWhitelistIps" | "whitelistIps") => [...new Set([...found[name], ...other[name]])];
  return { ...other, wwwWhitelistIps: joined("wwwWhitelistIps"), whitelistIps: joined("whitelistIps") };
}
