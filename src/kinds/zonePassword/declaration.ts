import { kind } from "../../declaration/kind";
import { any, list, text } from "../../declaration/property";
import { zoneName } from "../../model/zone";

export const zonePassword = kind("ZonePassword", {
  says: "A password of a zone, in addition to those that it has. The proxies accept any of them, so a generated password is rotated without an interruption: the new one is added before the old one is removed.",
  brief: "an additional password of a zone",
  service: "remote",
  id: { says: "Name of the zone and random digits.", example: "web_scraping/1f2e3d4c", pattern: /^[^/]+\/[\da-f]{8}$/ },
  endpoints: ["GET /zone/passwords", "POST /zone/add_password", "POST /zone/remove_password"],
  timeouts: 60,
  inputs: {
    zone: zoneName({ says: "Name of the zone.", required: true, replaces: true }),
    password: text({
      says: "The password, of printable ASCII characters without spaces. A generated one is kept until the resource is replaced.",
      must: [
        { pattern: /^[\x21-\x7e]+$/, expected: "expected a password of printable ASCII characters without spaces." },
      ],
      secret: true,
      replaces: true,
      known: true,
      defaultSays: "16 random characters of a–z and 0–9",
      outputSays: "The password, given or generated.",
    }),
    triggers: list(any({}), {
      says: "Values of any kind. A change of any of them generates a new password. Not with `password`.",
      expected: "expected a list of values; a change of any of them generates a new password.",
      compares: "lenient",
      replaces: true,
      example: ["2026-01"],
    }),
  },
  adopts:
    "Takes over a given `password` that the zone has already, instead of failing. Destroying the resource removes it then.",
  rules: [
    {
      reads: [],
      failure: ({ password, triggers }) =>
        password !== undefined && triggers !== undefined
          ? "`triggers` generate a new password, and `password` is given: take one of them away. A change of a given password replaces it in any case."
          : undefined,
    },
    {
      reads: [],
      failure: ({ password, adopt }) =>
        password === undefined && adopt === true
          ? "`adopt` takes over a password that the zone has: say which with `password`."
          : undefined,
    },
  ],
  announced: ["zone", "password"],
  isReadable: false,
  isDeletedApart: true,
  knowsOptions: ["deletedWith"],
  fails:
    "the zone has that password already (see {@link ZonePasswordArgs.adopt}), and at its deletion when it is the only one of the zone",
  example: `const password = new brightdata.ZonePassword("scraper", { zone: zone.name, triggers: ["2026-01"] });
export const secret = password.password;`,
});
