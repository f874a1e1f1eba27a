import { BrightDataError } from "../base/errors";
import { list, text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { zone } from "../model/zone";
import { BLANK_NAME, NO_SUCH_ZONE } from "./failures";

export const getZonePasswords = remoteLookup("getZonePasswords", {
  says: "Looks up a zone's passwords, as secrets.",
  brief: "a zone's passwords, as secrets",
  endpoints: ["GET /zone/passwords?zone="],
  arguments: { zone: zone() },
  gives: "Passwords of a zone.",
  result: {
    zone: zone(),
    passwords: list(text({}), { says: "The proxies accept any of them.", secret: true, required: true }),
    password: text({ says: "The first of them.", secret: true, required: true }),
  },
  fails: [NO_SUCH_ZONE, BLANK_NAME, ["BrightDataError", "the zone has no password"]],
  example: `const { password } = await brightdata.getZonePasswords({ zone: "web" });`,
  outputExample: `export const { password } = brightdata.getZonePasswordsOutput({ zone: "web" });`,
  async ask(client, { zone }, options) {
    const passwords = await ofZone(client, zone, () => client.passwords.list(zone, options), options);
    const [password] = passwords;
    if (password === undefined) throw new BrightDataError(`Zone ${JSON.stringify(zone)} has no password.`);
    return { zone, passwords, password };
  },
});
