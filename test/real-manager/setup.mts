import { installRealManager } from "../../scripts/real-manager/install.mts";

/** Once for all test files, which run side by side. */
export default async function setup(): Promise<void> {
  await installRealManager();
}
