import type { JsonObject } from "../base/json";
import { FLAG_VALUES } from "../declaration/flags";

/** What the vendor sells as a zone: a plan, the fields that go with it, and what is paid for by the piece. */
export interface Product {
  readonly name: string;
  /** The `type` of the plan. */
  readonly type: string;
  /** What else makes a plan one of this product. */
  readonly when: Readonly<Record<string, string | true>>;
  /** Fields without which the service makes something else of the plan, and says nothing. */
  readonly needs: readonly string[];
  /** Further fields that go with it. */
  readonly takes: readonly string[];
  /** What the service calls it, as `plan.product` of a zone; it has had several names. */
  readonly calls?: readonly string[];
  /** Name of one of its IPs or gIPs, for the prices of the user. */
  readonly piece?: string;
}

/** What goes with what. Where a plan is one of several, the first. */
export const PRODUCTS = [
  {
    name: "ISP, dedicated",
    calls: ["res_static", "isp"],
    type: "static",
    when: { poolIpType: "static_res", ipsType: "dedicated" },
    needs: ["ips"],
    takes: ["country", "countryCity", "city", "bandwidth", "unlBwTiers", "customHeaders"],
    piece: "isp-dedicated-ip",
  },
  {
    name: "ISP, shared",
    calls: ["res_static", "isp"],
    type: "static",
    when: { poolIpType: "static_res", ipsType: "shared" },
    needs: [],
    takes: ["country", "city", "bandwidth", "unlBwTiers", "ipAllocPreset", "ips", "customHeaders"],
    piece: "isp-shared-ip",
  },
  {
    name: "Datacenter, dedicated",
    calls: ["dc"],
    type: "static",
    when: { ipsType: "dedicated" },
    needs: ["ips"],
    takes: ["country", "countryCity", "city", "bandwidth", "unlBwTiers", "domainWhitelist", "customHeaders"],
    piece: "datacenter-dedicated-ip",
  },
  {
    name: "Datacenter or ISP, selective",
    type: "static",
    when: { ipsType: "selective" },
    needs: ["domainWhitelist"],
    takes: ["poolIpType", "country", "countryCity", "city", "bandwidth", "unlBwTiers", "ips", "customHeaders"],
  },
  {
    name: "Datacenter, shared",
    calls: ["dc"],
    type: "static",
    when: { ipsType: "shared" },
    needs: [],
    takes: ["country", "city", "bandwidth", "unlBwTiers", "ipAllocPreset", "ips", "domainWhitelist", "customHeaders"],
    piece: "datacenter-shared-ip",
  },
  {
    name: "Mobile",
    calls: ["mobile"],
    type: "resident",
    when: { mobile: true },
    needs: [],
    takes: ["country", "city", "vip", "vips", "vipsType", "customHeaders"],
    piece: "mobile-gip",
  },
  {
    name: "Residential, dedicated",
    calls: ["res_rotating"],
    type: "resident",
    when: { vipsType: "domain" },
    needs: ["domainWhitelist"],
    takes: ["country", "city", "asn", "vip", "vips", "vipCountry", "vipCountryCity", "ipAllocPreset", "customHeaders"],
    piece: "residential-dedicated-gip",
  },
  {
    name: "Residential",
    calls: ["res_rotating"],
    type: "resident",
    when: {},
    needs: [],
    takes: ["country", "city", "asn", "vip", "vips", "vipsType", "ipAllocPreset", "domainWhitelist", "customHeaders"],
    piece: "residential-gip",
  },
  {
    name: "SERP API",
    calls: ["serp"],
    type: "unblocker",
    when: { serp: true },
    needs: [],
    takes: ["country", "solveCaptchaDisable", "customHeaders"],
  },
  {
    name: "Web Unlocker",
    calls: ["unblocker"],
    type: "unblocker",
    when: {},
    needs: [],
    takes: ["country", "ubPremium", "solveCaptchaDisable", "customHeaders"],
  },
  {
    name: "Browser API",
    calls: ["browser_api"],
    type: "browser_api",
    when: {},
    needs: [],
    takes: ["country", "customHeaders"],
  },
] as const satisfies readonly Product[];

const RESIDENTIAL = 'type: "resident"';
const DATACENTER = 'type: "static"';
const ISP = 'type: "static", poolIpType: "static_res"';
const MOBILE = 'type: "resident", mobile: true';
const SERP = 'type: "unblocker", serp: true';
const UNLOCKER = 'type: "unblocker"';
const BROWSER = 'type: "browser_api"';

/** What products are called elsewhere, and how a plan of each begins. */
export const PLANS_BY_NAME: Readonly<Record<string, string>> = {
  datacenter: DATACENTER,
  dc: DATACENTER,
  isp: ISP,
  res_static: ISP,
  static_res: ISP,
  residential: RESIDENTIAL,
  res: RESIDENTIAL,
  res_rotating: RESIDENTIAL,
  mobile: MOBILE,
  mob: MOBILE,
  serp: SERP,
  serp_api: SERP,
  unlocker: UNLOCKER,
  web_unlocker: UNLOCKER,
  browser: BROWSER,
  scraping_browser: BROWSER,
};

const ALL: readonly Product[] = PRODUCTS;

type ProductRow = (typeof PRODUCTS)[number];

/** The `type` of a plan. */
export type PlanType = ProductRow["type"];

type FieldIn<R extends ProductRow> = R extends ProductRow
  ? R["needs"][number] | R["takes"][number] | keyof R["when"]
  : never;

/** Name of a field that goes with a type of plan. */
export type FieldOf<Type extends PlanType> = FieldIn<Extract<ProductRow, { type: Type }>>;

/** Names of the fields that go with a type of plan. */
export const fieldsOf = (type: string): readonly string[] => [
  ...new Set(
    ALL.filter((product) => product.type === type).flatMap(({ when, needs, takes }) => [
      ...Object.keys(when),
      ...needs,
      ...takes,
    ]),
  ),
];

/** Whether a plan is one of a product, which the ones before may have a better claim to. */
export const isOf = ({ type, when }: Product, plan: JsonObject): boolean =>
  plan.type === type &&
  Object.entries(when).every(([field, value]) => (FLAG_VALUES.get(plan[field]) ?? plan[field]) === value);

/** The name under which a user may have a price for an IP or gIP of a plan, where it is known of which product that is. */
export function pieceOf(plan: JsonObject): string | undefined {
  const candidates = ALL.filter(({ type }) => type === plan.type);
  const isOpen = candidates.some(({ when }) => Object.keys(when).some((field) => typeof plan[field] === "symbol"));
  return isOpen ? undefined : candidates.find((product) => isOf(product, plan))?.piece;
}

/** Everything that a user may have a price for. */
export const PIECES: readonly string[] = ALL.flatMap(({ piece }) => piece ?? []);
