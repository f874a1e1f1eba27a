import { flag, list, named, object, text, type ValueOf } from "../declaration/property";

export const runningVersion = object(
  {
    version: text({ says: "Version of the manager, such as `1.570.247`.", required: true }),
    upgraded: flag({ says: "Whether it was started by an upgrade.", required: true }),
    backupExists: flag({ says: "Whether the previous version was kept, to go back to.", required: true }),
  },
  { named: "RunningVersion", says: "The version that is running.", required: true },
);

const change = named("ManagerChange", "A change in a version of the Proxy Manager.", {
  type: text({ says: "What kind of change it is." }),
  text: text({ says: "The change in words.", required: true }),
});

const release = named("ManagerRelease", "A version of the Proxy Manager.", {
  version: text({ says: "The version.", required: true }),
  type: text({ says: "Such as `stable`." }),
  changes: list(change, { says: "What changed.", required: true }),
});

export const latestVersion = named(
  "LatestVersion",
  "The latest version. Absent if the manager cannot reach Bright Data, which it asks for it.",
  {
    version: text({ says: "The latest version.", required: true }),
    newer: flag({ says: "Whether it is newer than the one that is running.", required: true }),
    releases: list(release, { says: "The versions with their changes, the newest first.", required: true }),
  },
);

export const nodeVersion = object(
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

export type RunningVersion = ValueOf<typeof runningVersion>;

export type LatestVersion = ValueOf<typeof latestVersion>;

export type NodeVersion = ValueOf<typeof nodeVersion>;
