import {
  any,
  count,
  flag,
  map,
  named,
  number,
  object,
  type Properties,
  type PropertyFacts,
  type TextShape,
  text,
  type ValueOf,
  variants,
} from "../declaration/property";
import { type FieldOf, fieldsOf, PLANS_BY_NAME, type PlanType } from "./products";

const planFlag = (says: string, initial = false) =>
  flag({ named: "PlanFlag", loose: true, default: initial, compares: "lenient", says });

const planCount = (says: string) =>
  count({
    named: "PlanCount",
    digits: true,
    default: 0,
    compares: "lenient",
    expected: "expected a whole number from 0 on.",
    says,
  });

const word = <const F extends PropertyFacts<TextShape>>(says: string, facts: F) =>
  text({ compares: "lenient", says, ...facts });

const country = (says: string) =>
  text({
    expected: 'expected a two-letter country code, such as "us".',
    must: [{ pattern: /^([a-z]{2}|any)$/i, expected: 'expected a two-letter country code, such as "us", or "any".' }],
    default: "any",
    compares: "caseless",
    says,
  });

/** The fields of plans, of whatever type, as they are compared with what the service has. */
export const PLAN_FIELDS = {
  ipsType: word("Who uses the IPs: `shared`, `dedicated` (with `ips`), or `selective` (with `domainWhitelist`).", {
    oneOf: ["shared", "dedicated", "selective"],
  }),
  bandwidth: word(
    "How traffic is billed: `bandwidth` (by the gigabyte; read back as `payperusage`, which means the same) or `unlimited` (with `unlBwTiers`).",
    { oneOf: ["bandwidth", "unlimited", "payperusage"], default: "bandwidth", synonyms: { payperusage: "bandwidth" } },
  ),
  unlBwTiers: word("Tier of unlimited bandwidth. Without it the service ignores `unlimited`.", { example: "std" }),
  poolIpType: word("Pool of the IPs: `dc` (datacenter) or `static_res` (ISP).", {
    oneOf: ["dc", "static_res"],
    default: "dc",
  }),
  ipAllocPreset: word("Preset of the allocation: `shared_block` or `shared_res_block`.", {}),
  ips: planCount("Number of IPs that the zone is created with. Each is billed. Declare further ones with a `ZoneIps`."),
  country: country("Country of the IPs, two letters. Sent in lower case, the only one that the service understands."),
  countryCity: text({
    says: "City of the IPs, as the service writes it.",
    default: "any",
    compares: "caseless",
    example: "us-chicago",
  }),
  city: planFlag("Whether requests may name a city."),
  asn: planFlag("Whether requests may name an ASN."),
  mobile: planFlag("Whether the IPs are mobile ones."),
  serp: planFlag("Whether the plan is the SERP API."),
  vip: planFlag("Whether the plan has gIPs (groups of residential IPs)."),
  vips: planCount("Number of gIPs that the zone is created with. Each is billed."),
  vipsType: word("Who uses the gIPs: `shared`, or `domain` (dedicated to the domains of `domainWhitelist`).", {
    oneOf: ["shared", "domain", "domain_p"],
  }),
  vipCountry: country('Country of the gIPs, two letters; only with `vipsType: "domain"`.'),
  vipCountryCity: text({ says: "City of the gIPs.", default: "any", compares: "caseless" }),
  domainWhitelist: text({
    says: "Target domains that the zone may be used for, separated by spaces, in any order.",
    must: [
      {
        pattern: /^[^/:,]+$/,
        expected: 'expected domains separated by spaces, such as "example.com example.org", without scheme or path.',
      },
    ],
    compares: "words",
    example: "example.com example.org",
  }),
  ubPremium: planFlag("Whether the Web Unlocker may use premium domains."),
  solveCaptchaDisable: planFlag("Whether CAPTCHAs are left unsolved.", true),
  customHeaders: planFlag("Whether requests may carry headers and cookies of their own."),
} as const satisfies Properties;

export type PlanField = keyof typeof PLAN_FIELDS;

export const isPlanField = (name: string): name is PlanField => Object.hasOwn(PLAN_FIELDS, name);

const extra = map(any({}), {
  says: "Further fields, sent as they are, in the service's own spelling. A field that has a property here belongs there.",
  keys: /^[a-z]\w*$/i,
  expected: "expected an object of further plan fields in the service's spelling.",
  example: { exclusive_type: "category" },
});

/** The fields that go with a type of plan, in the order above. */
function planOf<const Type extends PlanType, const Name extends string>(type: Type, named: Name, says: string) {
  const names = fieldsOf(type);
  const fields = Object.fromEntries(Object.entries(PLAN_FIELDS).filter(([name]) => names.includes(name)));
  return object({ ...(fields as Pick<typeof PLAN_FIELDS, Extract<PlanField, FieldOf<Type>>>), extra }, { named, says });
}

/** A field as the service has it: it may know other words than a program may write. */
type FoundField<P> = P extends { is: "text" } ? { readonly is: "text" } : P;

const foundFields = Object.fromEntries(
  Object.entries(PLAN_FIELDS).map(([name, field]) => [name, field.is === "text" ? text({ says: field.says }) : field]),
) as unknown as { readonly [Name in PlanField]: FoundField<(typeof PLAN_FIELDS)[Name]> };

/** A plan as the service has it. */
export const foundPlan = object(
  {
    type: text({ says: "Kind of network.", required: true }),
    start: text({ says: "When the plan began, ISO 8601." }),
    product: text({
      says: "The product that the service makes of the plan, such as `dc`, `res_rotating`, `unblocker`.",
    }),
    ...foundFields,
    ipFallback: planCount("Whether an IP that fails is replaced by another."),
    dualip: planFlag("Whether IPs come in pairs."),
    disable: any({ says: "Whether the zone is switched off, or why.", isVolatile: true }),
    disabled: any({ says: "Whether the zone is switched off, or why.", isVolatile: true }),
    autoCostOverride: named("AutoCostOverride", "Prices that apply to this zone alone.", {
      ipBw: number({ says: "Traffic of an IP." }),
      priceGroup: text({ says: "Group of prices." }),
    }),
    extra,
  },
  {
    named: "ZonePlan",
    lifted: true,
    says: "A plan as the service has it: what was declared, and what the service adds.",
  },
);

/** What a zone offers and what it costs. */
export const zonePlan = variants(
  "type",
  {
    static: planOf("static", "StaticPlan", "A plan of datacenter or ISP proxies."),
    resident: planOf("resident", "ResidentialPlan", "A plan of residential or mobile proxies."),
    unblocker: planOf("unblocker", "UnblockerPlan", "A plan of the Web Unlocker or the SERP API."),
    browser_api: planOf("browser_api", "BrowserApiPlan", "A plan of the Browser API."),
  },
  {
    named: "ZonePlan",
    says: "What the zone offers and costs; its `type` says which fields go with it. The service cannot change a plan: for `ips` and `vips` see `ZoneIps`.",
    expected: "expected an object with at least a `type`.",
    calledElsewhere: PLANS_BY_NAME,
    required: true,
    replaces: true,
    output: foundPlan,
    outputSays: "The plan as the service has it.",
  },
);

/** A plan as a program writes it: the fields of its type, others under `extra` in the service's spelling. */
export type Plan = ValueOf<typeof zonePlan>;

/** A plan as the service has it, in camel case. The service may add fields that are not named here. */
export type FoundPlan = ValueOf<typeof foundPlan>;
