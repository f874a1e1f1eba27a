import type { Simulator } from "../../../simulator";
import { SnapshotDelivery, type SnapshotDeliveryArgs } from "../../../src";
import type { Sample } from "../sample";

const target = (bucket: string) => ({
  type: "s3",
  bucket,
  credentials: { awsAccessKey: "Sample-Secret-Access", awsSecretKey: "Sample-Secret-Key" },
});

const snapshotsOf = ({ account }: Simulator): string[] => [...account.snapshots.keys()];

export const samples: Sample[] = [
  {
    make: (name, args, options) => new SnapshotDelivery(name, args as unknown as SnapshotDeliveryArgs, options),
    prepare({ account }) {
      account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/1" }]);
      account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/2" }]);
    },
    args: (simulator) => ({
      snapshotId: snapshotsOf(simulator)[0],
      target: target("first-sample-bucket"),
      filename: { template: "results", extension: "json" },
      triggers: ["1"],
      timeouts: { create: 600 },
    }),
    price: { deliveries: 1 },
    changes: {
      snapshotId: { args: (simulator) => ({ snapshotId: snapshotsOf(simulator)[1] }), replaces: true },
      target: { args: { target: target("other-sample-bucket") }, replaces: true },
      filename: { args: { filename: { template: "others", extension: "json" } }, replaces: true },
      triggers: { args: { triggers: ["2"] }, replaces: true },
      wait: { args: { wait: false } },
      timeouts: { args: { timeouts: { create: 700 } } },
    },
    touches: ({ deliveryId }) => [`delivery ${deliveryId}`],
    holds(world, { deliveryId, snapshotId, status }) {
      const delivery = world[`delivery ${deliveryId}`] as { snapshotId: string } | undefined;
      return delivery?.snapshotId === snapshotId && status === "done";
    },
    leaves: { touched: ({ deliveryId }) => [`delivery ${deliveryId}`], reason: "what is delivered is not taken back" },
    generated: true,
    unknowable: [
      {
        faults: /./,
        words: /Whether a delivery of snapshot .* has begun is not known: the service does not list deliveries/,
        leaves: /^delivery /,
        reason: "a delivery cannot be found without its id, and one more may cost money",
      },
    ],
    known: ["deliveryId", "status"],
  },
];
