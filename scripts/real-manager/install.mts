import { join } from "node:path";
import { installed } from "../installed.mts";

/** The newest Proxy Manager that the vendor has published to npm. */
export const MANAGER_VERSION = "1.570.247";

const PACKAGE = "@luminati-io/luminati-proxy";

/** The vendor's package folder; installed outside the repository on first use. */
export async function installRealManager(): Promise<string> {
  const folder = await installed({
    name: `proxy-manager-${MANAGER_VERSION}`,
    packages: [`${PACKAGE}@${MANAGER_VERSION}`],
    // Its optional dependencies and install scripts are for the desktop program; one of its peer ranges contradicts another.
    flags: ["--omit=optional", "--legacy-peer-deps"],
    effort: "about 350 MB and one minute",
  });
  return join(folder, "node_modules", PACKAGE);
}
