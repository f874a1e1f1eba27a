import { lastMonthsCost } from "../accountCost";
import { type Declared, isObject, type Properties } from "../declared";
import { option, policy, type Violation } from "../policy";
import { isDecided, PRODUCTS, productOf } from "../products";
import { ipsOf, strayIps, zonesIn } from "../zones";

const DOLLARS = { type: "number", minimum: 0 } as const;
const PRICES = Object.fromEntries(PRODUCTS.flatMap(({ price }) => (price === undefined ? [] : [[price, DOLLARS]])));

/** What adding numbers up puts in, far below a cent, does not count. */
const isMore = (cost: number, dollars: number): boolean => Math.round((cost - dollars) * 1e6) > 0;

const inDollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** The prices that the package itself uses: of the environment, otherwise of the stack's configuration. */
export function pricesOf(resources: readonly Declared[], environment = process.env): Properties {
  const configured = resources.map(({ provider }) => provider.configuration["brightdata:prices"]);
  const found = environment.BRIGHTDATA_PRICES || configured.find((prices) => prices !== undefined);
  if (typeof found !== "string") return isObject(found) ? found : {};
  try {
    const parsed: unknown = JSON.parse(found);
    return isObject(parsed) ? parsed : {};
  } catch {
    // The package itself says what is wrong with it.
    return {};
  }
}

/** What the IPs of all zones cost in a month, and how many of them have no price. */
export function costOf(resources: readonly Declared[], prices: Properties): { dollars: number; unpriced: number } {
  const zones = zonesIn(resources);
  const strays = strayIps(resources, zones).filter(({ many, isPlaced }) => many > 0 && isPlaced);
  const sum = { dollars: 0, unpriced: strays.length };
  for (const zone of zones) {
    const many = ipsOf(zone, "ips") + ipsOf(zone, "gips");
    const price = Number(prices[productOf(zone.plan)?.price ?? ""]);
    // What is not known in a preview is priced in the update.
    if (many === 0 || !isDecided(zone.plan)) continue;
    if (Number.isFinite(price)) sum.dollars += many * price;
    else sum.unpriced += 1;
  }
  return sum;
}

/** What is said of a cost beyond the limit. */
function excess({ dollars: cost, unpriced }: ReturnType<typeof costOf>, dollars: number): readonly Violation[] {
  if (!isMore(cost, dollars)) return [];
  const except =
    unpriced > 0
      ? `, not counting ${unpriced === 1 ? "a zone" : `${unpriced} zones`} whose IPs have no known price`
      : "";
  return [
    {
      message: `The IPs of the stack cost about ${inDollars(cost)} a month${except}: at most ${inDollars(dollars)} are allowed.`,
    },
  ];
}

export const monthlyCost = policy({
  name: "monthly-cost",
  title: "A stack costs only so much a month",
  says: "The IPs and gIPs of the stack cost at most `dollars` a month, by your own prices, and the account cost no more last month, traffic included. Inactive until `dollars` is set.",
  level: "mandatory",
  severity: "medium",
  remedy: "Declare fewer IPs, or raise `dollars`.",
  options: {
    dollars: option("Most US dollars a month.", DOLLARS, undefined as number | undefined),
    prices: option(
      "Price of one IP or gIP a month, by the names of `brightdata:prices`.",
      { type: "object", properties: PRICES, additionalProperties: false },
      undefined as Readonly<Record<string, number>> | undefined,
    ),
    lastMonth: option("What the account cost last month.", DOLLARS, undefined as number | undefined),
    askAccount: option(
      "Whether the pack asks Bright Data for that: one request that only reads, by `pulumi-brightdata`.",
      { type: "boolean" },
      false,
    ),
  },
  ofGrowing: (resources, { dollars, prices }) =>
    dollars === undefined ? [] : excess(costOf(resources, prices ?? pricesOf(resources)), dollars),
  async ofStack(resources, { dollars, prices, lastMonth, askAccount }) {
    if (dollars === undefined || resources.length === 0) return [];
    const cost = costOf(resources, prices ?? pricesOf(resources));
    const paid = lastMonth ?? (askAccount ? await lastMonthsCost(resources) : undefined);
    const violations = [...excess(cost, dollars)];
    if (cost.unpriced > 0 && paid === undefined && violations.length === 0)
      violations.push({
        message: `The IPs of ${cost.unpriced === 1 ? "a zone" : `${cost.unpriced} zones`} have no known price, so that \`dollars\` cannot be checked: set \`prices\`, or \`brightdata:prices\` in the stack's configuration.`,
      });
    if (typeof paid === "string") violations.push({ message: paid });
    else if (paid !== undefined && isMore(paid, dollars))
      violations.push({
        message: `The account cost ${inDollars(paid)} last month: at most ${inDollars(dollars)} are allowed.`,
      });
    return violations;
  },
});
