import { text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { deliveredFiles } from "../model/deliveryFiles";
import { BLANK_ID } from "./failures";

const deliveryId = text({ says: "Id of the delivery.", required: true, example: "dl_m4x7enmven8djfqak" });

export const getDelivery = remoteLookup("getDelivery", {
  says: "Looks up the progress of a snapshot's delivery. It reads the progress once and does not wait for the end. A failed delivery is a result, not an error.",
  brief: "the progress of a delivery",
  endpoints: ["GET /datasets/v3/delivery/{delivery_id}"],
  arguments: { deliveryId },
  gives: "Progress of a delivery.",
  result: {
    deliveryId,
    status: text({
      says: "`done`, `canceled` or `failed`; any other word means that it is in progress.",
      required: true,
    }),
    files: deliveredFiles,
  },
  fails: [["NotFoundError", "there is no such delivery (`DeliveryNotFoundError`)"], BLANK_ID],
  example: `const { status, files } = await brightdata.getDelivery({ deliveryId: "dl_m4x7enmven8djfqak" });`,
  outputExample: `const { status, files } = brightdata.getDeliveryOutput({ deliveryId: "dl_m4x7enmven8djfqak" });
export const state = status;
export const names = files.apply((all) => all.map(({ filename }) => filename));`,
  ask: ({ deliveries }, { deliveryId }, options) => deliveries.status(deliveryId, options),
});
