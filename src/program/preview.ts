import * as pulumi from "@pulumi/pulumi";
import { kindIn } from "../pulumi/types";
import { SETTINGS } from "../settings/definitions";
import { readSetting } from "../settings/settings";
import { resourcesIn } from "./dependencies";

/**
 * What tells the provider, which cannot know it, that this is a preview that is to read from the services. What an explicit
 * provider is to do, its own settings say.
 */
export function previewOf(
  args: pulumi.Inputs,
  provider: pulumi.ProviderResource | undefined,
): { zoneIsDeclared: Promise<boolean> } | undefined {
  if (!pulumi.runtime.isDryRun()) return undefined;
  const isRead = provider !== undefined || readSetting(SETTINGS.checkOnPreview, (key) => pulumi.runtime.getConfig(key));
  return isRead ? { zoneIsDeclared: comesFromZone(args) } : undefined;
}

/** Whether a zone's name comes from a `Zone` of the program, which the provider of another resource may not know. */
async function comesFromZone(args: pulumi.Inputs): Promise<boolean> {
  return [...(await resourcesIn(args))].some((resource) => kindIn(Reflect.get(resource, "__pulumiType")) === "Zone");
}
