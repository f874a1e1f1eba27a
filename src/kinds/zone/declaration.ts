import { snakeCase } from "../../base/case";
import { isObject, type JsonObject } from "../../base/json";
import { kind } from "../../declaration/kind";
import { flag, list, text } from "../../declaration/property";
import type { Rule } from "../../declaration/rules";
import { zonePlan } from "../../model/plan";
import { isOf, PRODUCTS, type Product } from "../../model/products";
import { EXISTING_ZONE_NAME } from "../../model/zone";

export const NEW_NAME =
  "expected 3 to 63 of the characters a-z, 0-9 and _. Leave it out, and the zone gets an automatic name.";

const planRule = (reads: readonly string[], failure: (plan: JsonObject) => string | undefined): Rule => ({
  reads: reads.map((field) => `plan.${field}`),
  failure: ({ plan }) => (isObject(plan) ? failure(plan) : undefined),
});

const isLeftOut = (value: unknown): boolean => ["", "0"].includes(String(value ?? ""));

const REMEDIES: Readonly<Record<string, string>> = {
  ips: "the service makes another product of it then. Say how many IPs the zone is created with, such as `ips: 10`.",
  domainWhitelist: "it needs the target domains, separated by spaces.",
};

const needs = (PRODUCTS as readonly Product[]).flatMap((product) =>
  product.needs.map((needed) =>
    planRule(["type", ...Object.keys(product.when), needed], (plan) => {
      if (!isOf(product, plan) || !isLeftOut(plan[needed])) return undefined;
      const [decisive, value] = Object.entries(product.when).at(-1) ?? [];
      return `\`plan.${decisive}\` is ${JSON.stringify(value)} without \`plan.${needed}\`: ${REMEDIES[needed]}`;
    }),
  ),
);

/**
 * Fields of a plan are compared by what they mean; as extras they would seem to change, and make a new zone, for ever. What does
 * not go with the type of the plan may be sent as one all the same.
 */
const ownFields = Object.entries(zonePlan.of).flatMap(([type, { properties }]) =>
  [zonePlan.by, ...Object.keys(properties)].map((field) =>
    planRule(["type", `extra.${snakeCase(field)}`], ({ type: given, extra }) =>
      given === type && isObject(extra) && extra[snakeCase(field)] !== undefined
        ? `\`plan.extra.${snakeCase(field)}\` has a property of its own: use \`plan.${field}\`.`
        : undefined,
    ),
  ),
);

export const zone = kind("Zone", {
  says: "A zone: a set of proxies with a plan, a name and passwords. The zone is billed as its plan says, from its creation on.",
  brief: "a set of proxies with a plan, a name and passwords",
  service: "remote",
  id: { says: "Name of the zone.", example: "web_scraping" },
  endpoints: ["POST /zone", "GET /zone", "GET /zone/get_all_zones", "POST /zone/change_disable", "DELETE /zone"],
  timeouts: { create: 120, read: 60, update: 120, delete: 120 },
  inputs: {
    name: text({
      says: "Name of the zone: 3 to 63 of the characters a–z, 0–9 and `_`; a zone that exists already may have others too. An automatic name is kept across updates; a replacement gets another.",
      must: [
        {
          pattern: EXISTING_ZONE_NAME,
          expected: `${NEW_NAME} Zones that exist already may have other characters too, but no comma, slash or asterisk.`,
        },
      ],
      expected: "expected a text.",
      defaultSays: "the name of the resource with a suffix that follows from its place in the program and the plan",
      replaces: true,
      known: true,
      example: "web_scraping",
      outputSays: "Name of the zone.",
    }),
    type: text({
      says: "What the service calls the type of the zone, such as `dc`, `ISP`, `serp`. It decides little: the product follows from the plan.",
      replaces: true,
    }),
    plan: zonePlan,
    disabled: flag({
      says: "Whether the zone is switched off. Left alone where it was never declared; removing it switches the zone on.",
      default: false,
      compares: "lenient",
      known: true,
      outputSays: "Whether the zone is switched off.",
    }),
  },
  outputs: {
    created: text({ says: "When the zone was created, ISO 8601.", isIdentity: true }),
    passwords: list(text({}), {
      says: "The passwords of the zone; the proxies accept any of them.",
      secret: true,
      required: true,
    }),
    password: text({ says: "The first of the passwords of the zone.", secret: true, required: true }),
    ips: list(text({}), { says: "Client addresses that may use the zone; `any` for all.", required: true }),
    perm: text({ says: "What requests may name, separated by spaces, such as `country city`." }),
    description: text({ says: "Description of the zone." }),
    status: text({
      says: "`active` or `disabled`; `not visible yet` after an update that ended before the new zone could be read.",
      required: true,
      isVolatile: true,
    }),
  },
  adopts:
    "Takes over a zone of that name that exists already, instead of failing. What cannot be changed in place must be declared as it is. Destroying the resource deletes the zone then.",
  rules: [
    ...needs,
    planRule(["bandwidth", "unlBwTiers"], ({ bandwidth, unlBwTiers }) =>
      bandwidth === "unlimited" && unlBwTiers === undefined
        ? '`plan.bandwidth` is "unlimited" without `plan.unlBwTiers`: the service ignores it then and bills by the gigabyte. Add `unlBwTiers: "std"`.'
        : undefined,
    ),
    planRule(["vipsType", "vipCountry"], ({ vipsType, vipCountry }) =>
      vipCountry !== undefined && vipsType !== "domain"
        ? '`plan.vipCountry` has a meaning only with `plan.vipsType: "domain"`. Use `plan.country`, or add it.'
        : undefined,
    ),
    {
      reads: ["type", "plan.poolIpType"],
      failure: ({ type, plan }) =>
        isObject(plan) && /^isp$/i.test(String(type)) && plan.poolIpType !== "static_res"
          ? '`type` is "ISP" without `plan.poolIpType: "static_res"`: the service makes a datacenter zone of it. Add it, or take `type` away.'
          : undefined,
    },
    ...ownFields,
  ],
  announced: ["name"],
  namedBy: "name",
  automaticName: "name",
  fails:
    "the zone exists already (see {@link ZoneArgs.adopt}), when the token may not create zones, or when the account has to be verified first",
  knowsOptions: ["retainOnDelete"],
  example: `const zone = new brightdata.Zone("web", {
  plan: { type: "static", ipsType: "shared", country: "us" },
}, { protect: true });
export const password = zone.password;`,
});
