import { unless } from "../base/cause";
import { ResponseFormatError, ServerError } from "../base/errors";
import { managerLookup } from "../lookups/lookup";
import { latestVersion, nodeVersion, runningVersion } from "../model/managerVersions";

export const getManagerVersions = managerLookup("getManagerVersions", {
  says: "Looks up the running version of the Proxy Manager, the latest available one, and its Node.js version.",
  brief: "the Proxy Manager's version, the latest one, and its Node.js version",
  endpoints: ["GET /api/version", "GET /api/last_version", "GET /api/node_version"],
  gives: "Versions of the Proxy Manager and of what it runs on.",
  result: { running: runningVersion, latest: latestVersion, node: nodeVersion },
  example: `const { running, latest } = await brightdata.getManagerVersions();
const outdated = latest?.newer ?? false;`,
  outputExample: `const versions = brightdata.getManagerVersionsOutput();
export const version = versions.running.version;
export const outdated = versions.apply(({ latest }) => latest?.newer ?? false);`,
  async ask({ versions }, _, options) {
    const [running, latest, node] = await Promise.all([
      versions.running(options),
      // The manager itself is there where its other two answers come: it asks its vendor for this one, and passes on what that says.
      versions.latest(options).catch(unless(ServerError, ResponseFormatError)),
      versions.node(options),
    ]);
    return { running, ...(latest === undefined ? {} : { latest }), node };
  },
});
