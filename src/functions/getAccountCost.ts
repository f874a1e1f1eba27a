import { text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { accountCost, costDimension } from "../model/usage";

export const getAccountCost = remoteLookup("getAccountCost", {
  says: "Looks up what the account has cost in a period, in US dollars. Parts of days count as whole ones. Zones that have been deleted since then are included.",
  brief: "the account's cost, in US dollars",
  endpoints: ["POST /costs/export/json"],
  arguments: {
    from: text({
      says: "First day, `YYYY-MM-DD`, UTC.",
      required: true,
      example: "2026-05-01",
    }),
    to: text({
      says: "Day after the last, in the same form: it is not part of the period.",
      required: true,
      example: "2026-06-01",
    }),
    dimension: costDimension,
  },
  gives: "Cost of the account in a period, in US dollars.",
  result: accountCost,
  fails: [["ArgumentError", "a date is invalid, or `to` is not later than `from`"]],
  example: `const { total, byResource } = await brightdata.getAccountCost({ from: "2026-05-01", to: "2026-06-01" });`,
  outputExample: `const cost = brightdata.getAccountCostOutput({ from: "2026-05-01", to: "2026-06-01" });
export const dollarsInMay = cost.total;
export const byZone = cost.byResource;`,
  notes:
    "The request is a `POST` that only reads. The total is the sum over the chosen dimension: costs without it, such as those of snapshots when the cost is split by zones, are not included.",
  ask: ({ usage }, { dimension, ...period }, options) => usage.accountCost(period, dimension, options),
});
