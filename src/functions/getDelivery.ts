import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { Delivery } from "../remote/deliveries";

/** Arguments of {@link getDelivery}. */
export interface GetDeliveryArgs {
  /** Id of the delivery. */
  deliveryId: string;
}

/** Arguments of {@link getDeliveryOutput}. */
export type GetDeliveryOutputArgs = Inputs<GetDeliveryArgs>;

/** How far a delivery has come. */
export type GetDeliveryResult = Delivery;

/**
 * Looks up how far the delivery of a snapshot has come, once: it does not wait for the end. A delivery that failed is a
 * result, not an error. `GET /datasets/v3/delivery/{delivery_id}`.
 *
 * @throws {NotFoundError} when there is no such delivery
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { status, files } = await brightdata.getDelivery({ deliveryId: "dl_m4x7enmven8djfqak" });
 */
export async function getDelivery(args: GetDeliveryArgs, options: CallOptions = {}): Promise<GetDeliveryResult> {
  return remoteClient().deliveries.status(args.deliveryId, options);
}

/** {@link getDelivery} for arguments that are not known yet. */
export const getDeliveryOutput = (args: GetDeliveryOutputArgs): pulumi.Output<GetDeliveryResult> =>
  whenKnown(args, getDelivery);
