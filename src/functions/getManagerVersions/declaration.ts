import { ServerError } from "../../base/errors";
import { flag, list, object, text } from "../../declaration/property";
import { lookup } from "../../program/lookup";

const running = object(
  {
    version: text({ says: "Version of the manager, such as `1.570.247`.", required: true }),
    upgraded: flag({ says: "Whether it was started by an upgrade.", required: true }),
    backupExists: flag({ says: "Whether the previous version was kept, to go back to.", required: true }),
  },
  { named: "RunningVersion", says: "The version that is running.", required: true },
);

const change = object(
  {
    type: text({ says: "What kind of change it is." }),
    text: text({ says: "The change in words.", required: true }),
  },
  { named: "ManagerChange", says: "A change in a version of the Proxy Manager." },
);

const release = object(
  {
    version: text({ says: "The version.", required: true }),
    type: text({ says: "Such as `stable`." }),
    changes: list(change, { says: "What changed.", required: true }),
  },
  { named: "ManagerRelease", says: "A version of the Proxy Manager." },
);

const latest = object(
  {
    version: text({ says: "The latest version.", required: true }),
    newer: flag({ says: "Whether it is newer than the one that is running.", required: true }),
    releases: list(release, { says: "The versions with their changes, the newest first.", required: true }),
  },
  {
    named: "LatestVersion",
    says: "The latest version. Absent if the manager cannot reach Bright Data, which it asks for it.",
  },
);

const node = object(
  {
    current: text({ says: "Version of Node.js." }),
    satisfied: flag({ says: "Whether it is one of the recommended versions." }),
    recommended: text({ says: "A range of versions, such as `>=20.12.1`." }),
  },
  {
    named: "NodeVersion",
    says: "The Node.js that the manager runs on. The desktop edition contains its own and does not report it.",
    required: true,
  },
);

export const getManagerVersions = lookup("getManagerVersions", {
  says: "Looks up the running version of the Proxy Manager, the latest available one, and its Node.js version.",
  brief: "the Proxy Manager's version, the latest one, and its Node.js version",
  service: "manager",
  endpoints: ["GET /api/version", "GET /api/last_version", "GET /api/node_version"],
  gives: "Versions of the Proxy Manager and of what it runs on.",
  result: { running, latest, node },
  example: `const { running, latest } = await brightdata.getManagerVersions();
const outdated = latest?.newer ?? false;`,
  outputExample: `const versions = brightdata.getManagerVersionsOutput();
export const version = versions.running.version;
export const outdated = versions.apply(({ latest }) => latest?.newer ?? false);`,
  async ask({ versions }, _, options) {
    const [running, latest, node] = await Promise.all([
      versions.running(options),
      versions.latest(options).catch(vendorUnreachable),
      versions.node(options),
    ]);
    return { running, ...(latest === undefined ? {} : { latest }), node };
  },
});

// The manager itself is there: its other two answers say so.
function vendorUnreachable(error: unknown): undefined {
  if (error instanceof ServerError) return undefined;
  throw error;
}
