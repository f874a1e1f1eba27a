import { allowedProducts } from "./allowedProducts";
import { maxIps } from "./maxIps";
import { monthlyCost } from "./monthlyCost";
import { namePatterns } from "./namePatterns";
import { noCredentialsInClear } from "./noCredentialsInClear";
import { noOpenAddresses } from "./noOpenAddresses";
import { portAllowlists } from "./portAllowlists";
import { protectedZones } from "./protectedZones";
import { zoneAccess } from "./zoneAccess";

/** All policies, in the order of the table in README.md. */
export const RULES = [
  protectedZones,
  zoneAccess,
  portAllowlists,
  noOpenAddresses,
  noCredentialsInClear,
  allowedProducts,
  maxIps,
  monthlyCost,
  namePatterns,
] as const;
