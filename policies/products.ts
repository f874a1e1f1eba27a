import { list, type Properties, UNKNOWN } from "./declared";

/** What Bright Data sells as a zone. */
export interface Product {
  readonly name: string;
  readonly type: string;
  /** What else makes a plan one of this product. */
  readonly when: Readonly<Record<string, string | true>>;
  /** Name of one of its IPs or gIPs in `brightdata:prices`. */
  readonly price?: string;
}

/** A plan is of the first product that it fits. */
export const PRODUCTS: readonly Product[] = [
  {
    name: "isp-dedicated",
    type: "static",
    when: { poolIpType: "static_res", ipsType: "dedicated" },
    price: "isp-dedicated-ip",
  },
  { name: "isp-shared", type: "static", when: { poolIpType: "static_res", ipsType: "shared" }, price: "isp-shared-ip" },
  { name: "datacenter-dedicated", type: "static", when: { ipsType: "dedicated" }, price: "datacenter-dedicated-ip" },
  { name: "selective", type: "static", when: { ipsType: "selective" } },
  { name: "datacenter-shared", type: "static", when: { ipsType: "shared" }, price: "datacenter-shared-ip" },
  { name: "mobile", type: "resident", when: { mobile: true }, price: "mobile-gip" },
  { name: "residential-dedicated", type: "resident", when: { vipsType: "domain" }, price: "residential-dedicated-gip" },
  { name: "residential", type: "resident", when: {}, price: "residential-gip" },
  { name: "serp-api", type: "unblocker", when: { serp: true } },
  { name: "web-unlocker", type: "unblocker", when: {} },
  { name: "browser-api", type: "browser_api", when: {} },
];

const YES: readonly unknown[] = [true, 1, "1", "true"];

const candidatesFor = (plan: Properties): readonly Product[] => PRODUCTS.filter(({ type }) => type === plan.type);

/** Whether all is known of a plan that its product follows from. */
export const isDecided = (plan: Properties): boolean =>
  typeof plan.type === "string" &&
  !candidatesFor(plan).some(({ when }) => Object.keys(when).some((field) => plan[field] === UNKNOWN));

/** The product that a plan is of; `undefined` where it is of none, or that is not known. */
export function productOf(plan: Properties): Product | undefined {
  if (!isDecided(plan)) return undefined;
  // Where a plan does not say who uses its IPs, the service makes them shared ones.
  const completed = { ipsType: "shared", ...plan };
  return candidatesFor(plan).find(({ when }) => Object.entries(when).every(isIn(completed)));
}

const isIn =
  (plan: Properties) =>
  ([field, value]: [string, string | true]): boolean =>
    value === true ? YES.includes(plan[field]) : plan[field] === value;

/** Whether a pattern such as `isp-*` or `mobile` names a product. */
export const isNamed = ({ name }: Product, patterns: unknown): boolean =>
  list(patterns).some((pattern) => {
    const text = String(pattern);
    return text.endsWith("*") ? name.startsWith(text.slice(0, -1)) : name === text;
  });
