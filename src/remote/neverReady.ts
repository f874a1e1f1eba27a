import { unless } from "../base/cause";
import { BrightDataError } from "../base/errors";
import type { Operation } from "../http/operation";
import { ENDED_BADLY, type SnapshotProgress } from "../model/snapshot";
import { CollectionFailedError } from "./collectionErrors";
import { SnapshotNotReadyError } from "./snapshotErrors";

/** An operation on a snapshot. Of one that is not ready, and never will be, it tells why that is so. */
export const orWhyNever =
  <T>(operation: Operation<T>, progress: Operation<SnapshotProgress>): Operation<T> =>
  async (transport) => {
    try {
      return await operation(transport);
    } catch (error) {
      if (!(error instanceof SnapshotNotReadyError)) throw error;
      const { status = "", errorMessage = status } = (await progress(transport).catch(unless(BrightDataError))) ?? {};
      throw ENDED_BADLY.includes(status) ? new CollectionFailedError(error, errorMessage) : error;
    }
  };
