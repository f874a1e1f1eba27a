import { join } from "node:path";
import { installedByNpm } from "../installed.mts";

/** The newest Proxy Manager that the vendor has published to npm. */
export const MANAGER_VERSION = "1.570.247";

const PACKAGE = "@luminati-io/luminati-proxy";

// Its optional dependencies and install scripts are for the desktop program; one of its peer ranges contradicts another.
const FLAGS = ["--omit=optional", "--legacy-peer-deps"];

/** The vendor's package folder; installed outside the repository on first use. */
export async function installRealManager(): Promise<string> {
  const installation = { name: `proxy-manager-${MANAGER_VERSION}`, effort: "about 350 MB and one minute" };
  const folder = await installedByNpm(installation, [`${PACKAGE}@${MANAGER_VERSION}`], FLAGS);
  return join(folder, "node_modules", PACKAGE);
}
