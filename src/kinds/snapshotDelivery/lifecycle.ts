import { randomBytes } from "node:crypto";
import { BrightDataError } from "../../base/errors";
import type { InputsOf } from "../../declaration/kind";
import { begunBefore, leftBehind } from "../../lifecycle/creation";
import { isAsked, job, OUTCOME_UNKNOWN } from "../../lifecycle/job";
import { PartialFailure } from "../../lifecycle/lifecycle";
import { isUnsettled } from "../../lifecycle/settle";
import { DeliveryFailedError } from "../../remote/deliveryErrors";
import { snapshotDelivery } from "./declaration";

type Inputs = InputsOf<typeof snapshotDelivery>;

export const snapshotDeliveryLifecycle = job(snapshotDelivery, {
  handle: "deliveryId",
  ends: { well: "done", badly: ["failed", "canceled", "cancelled"] },
  noun: "a delivery",
  title: (id) => `delivery ${JSON.stringify(id)}`,

  announce({ snapshotId }) {
    const snapshot = typeof snapshotId === "string" ? `snapshot ${JSON.stringify(snapshotId)}` : "a snapshot";
    return `the update will deliver ${snapshot} to a storage, which may cost money with the service and with the storage.`;
  },

  async start(inputs, asked, step) {
    const { snapshotId, target: storage, filename, compress, batchSize, notify } = inputs;
    // An update that was cut short has sent the request, or was about to.
    if (begunBefore(step, (facts) => isAsked(facts.asked, asked)) !== undefined) throw unknownOutcome(inputs);
    const delivery = { storage, filename, compress, batchSize, notify };
    const title = `a delivery of snapshot ${JSON.stringify(snapshotId)}`;
    await step.journal?.begin({ asked }, leftBehind(title, "Look at the storage whether it has arrived."));
    try {
      return await step.context.remote.deliveries.deliver(snapshotId, delivery, step.deadline);
    } catch (error) {
      if (isUnsettled(error, step) && !(error instanceof DeliveryFailedError)) throw unknownOutcome(inputs, error);
      step.journal?.forget();
      throw error;
    }
  },

  async look(id, _inputs, step) {
    const { status, files } = await step.context.remote.deliveries.status(id, step.deadline);
    return { status, files };
  },

  failure(id, state) {
    const { status } = state;
    if (status === OUTCOME_UNKNOWN) return new BrightDataError(whatIsNotKnown(state));
    return new BrightDataError(
      `Delivery ${JSON.stringify(id)} has not been carried out: its status is ${JSON.stringify(status)}. Check the storage, its credentials and what has arrived there. Nothing is delivered again by itself: correct \`target\`, or change a value of \`triggers\`.`,
    );
  },

  async cancel(id, { status, snapshotId }, step) {
    const what =
      status === OUTCOME_UNKNOWN
        ? `whether a delivery of snapshot ${JSON.stringify(snapshotId)} is going on is not known`
        : `delivery ${JSON.stringify(id)} may be going on`;
    step.say?.(`Nothing was sent: ${what}, and none can be called off.`);
  },
});

/** The state says it, so that nothing is delivered again until the program says so; the id is the resource's own. */
function unknownOutcome(inputs: Inputs, lost?: Error): PartialFailure {
  const id = `${inputs.snapshotId}/${randomBytes(4).toString("hex")}`;
  const before =
    lost === undefined ? "An update that was cut short was about to begin it, or had begun it." : lost.message;
  const error = new BrightDataError(`${before} ${whatIsNotKnown(inputs)}`, { cause: lost });
  return new PartialFailure(id, { ...inputs, status: OUTCOME_UNKNOWN }, error);
}

function whatIsNotKnown({ snapshotId, filename }: Pick<Inputs, "snapshotId" | "filename">): string {
  const { template, extension } = filename;
  return `Whether a delivery of snapshot ${JSON.stringify(snapshotId)} has begun is not known: the service does not list deliveries. It is not delivered again by itself. Look in the storage for files such as ${JSON.stringify(`${template}.${extension}`)}, and in the control panel. Give the delivery's id as \`deliveryId\` to take it up, or change a value of \`triggers\` to deliver once more.`;
}
