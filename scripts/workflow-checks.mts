import { join } from "node:path";
import { install, installed, installedByGo } from "./installed.mts";

const ACTIONLINT = "1.7.12";
const ZIZMOR = "1.32.0";

/** Programs that check workflows. */
export interface WorkflowChecks {
  actionlint: string;
  zizmor: string;
}

/** Installs the programs that check workflows, unless they are there already. */
export async function installWorkflowChecks(): Promise<WorkflowChecks> {
  const actionlint = await installedByGo("github.com/rhysd/actionlint/cmd/actionlint", ACTIONLINT, "a few seconds");
  const zizmor = await installed({ name: `zizmor-${ZIZMOR}`, effort: "40 MB, a few seconds" }, (folder) =>
    install("python3", ["-m", "pip", "install", "--quiet", "--target", folder, `zizmor==${ZIZMOR}`], {}),
  );
  return { actionlint, zizmor: join(zizmor, "bin/zizmor") };
}
