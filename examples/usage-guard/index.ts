import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const zone = config.require("zone");
const limit = config.requireNumber("dollarsAMonth");

/**
 * What the zone has cost this calendar month.
 *
 * @throws an error that ends the program if the cost is above the limit or unknown
 */
async function costWithinLimit(): Promise<number> {
  const { periods } = await brightdata.getZoneCost({ zone });
  const dollars = periods.backM0?.cost;
  if (dollars === undefined) {
    throw new pulumi.RunError(
      `The service does not report the cost of zone "${zone}" this month. Nothing was changed.`,
    );
  }
  if (dollars > limit) {
    throw new pulumi.RunError(
      `Zone "${zone}" has cost $${dollars.toFixed(2)} this month, and may cost $${limit.toFixed(2)}. Nothing was changed. ` +
        "Raise the limit with `pulumi config set dollarsAMonth <dollars>`, or wait for the next month.",
    );
  }
  return dollars;
}

export = async () => {
  const dollarsThisMonth = await costWithinLimit();
  const port = new brightdata.ProxyPort("guarded", { zone });
  return { dollarsThisMonth, port: port.port };
};
