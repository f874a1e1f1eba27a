/** The delivery of a snapshot to a storage. Nothing is sent anywhere. */
export interface DeliveryRecord {
  readonly id: string;
  readonly snapshotId: string;
  /** What the last poll said. */
  status: string;
  /** What the next polls will say. */
  upcoming: string[];
  /** Kind of the storage, such as `s3`. */
  type: string;
  /** Names of the files, once it is done. */
  filenames: string[];
}
