import { managerLookup } from "../lookups/lookup";
import { generalSettings } from "../model/generalSettings";

export const getManagerSettings = managerLookup("getManagerSettings", {
  says: "Looks up the general settings of the Proxy Manager. Credentials, such as the account's token and a zone's password, are omitted.",
  brief: "the Proxy Manager's general settings, without credentials",
  endpoints: ["GET /api/settings"],
  gives: "General settings of the Proxy Manager, without its credentials.",
  result: generalSettings,
  example: "const { whitelistIps } = await brightdata.getManagerSettings();",
  outputExample: `const settings = brightdata.getManagerSettingsOutput();
export const allowed = settings.whitelistIps;
export const logLevel = settings.apply(({ log }) => log);`,
  ask: ({ settings }, _, options) => settings.get(options),
});
