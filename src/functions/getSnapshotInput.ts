import { text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { snapshot } from "../model/snapshot";
import { BLANK_ID, NO_SUCH_SNAPSHOT } from "./failures";

export const getSnapshotInput = remoteLookup("getSnapshotInput", {
  says: "Looks up the inputs that a collection was started with. The whole file is held in memory, and what the program exports of it is saved in the state.",
  brief: "the inputs that a collection was started with",
  endpoints: ["GET /datasets/v3/snapshot/{snapshot_id}/input"],
  arguments: { snapshotId: snapshot() },
  gives: "The inputs of a collection.",
  result: {
    snapshotId: snapshot(),
    csv: text({ says: "CSV with a header line.", required: true }),
  },
  fails: [["SnapshotInputMissingError", "the service has not kept the inputs"], NO_SUCH_SNAPSHOT, BLANK_ID],
  example: `const { csv } = await brightdata.getSnapshotInput({ snapshotId: "s_m4x7enmven8djfqak" });`,
  outputExample: `const input = brightdata.getSnapshotInputOutput({ snapshotId: "s_m4x7enmven8djfqak" });
export const count = input.apply(({ csv }) => csv.trimEnd().split("\\n").length - 1);`,
  async ask({ snapshots }, { snapshotId }, options) {
    return { snapshotId, csv: await snapshots.input(snapshotId, options) };
  },
});
