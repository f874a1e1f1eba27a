/** A dataset that can be collected. Plain data: a test may edit any of it. */
export interface DatasetRecord {
  readonly id: string;
  name: string;
  size: number;
  allowedForApi: boolean;
  ready: boolean;
  /** The fewest inputs a collection may have. */
  minInputs: number;
  /** How many collections may run at the same time. */
  jobsLimit: number;
  /** The fields of an input and of a record. */
  fields: Record<string, { type: string; active: boolean; required: boolean; description: string }>;
}

/** A dataset that takes one or more inputs with a `url`; what else it should be is given. */
export const dataset = (id: string, given: Partial<Omit<DatasetRecord, "id">> = {}): DatasetRecord => ({
  id,
  name: "Pages",
  size: 0,
  allowedForApi: true,
  ready: true,
  minInputs: 1,
  jobsLimit: 100,
  fields: {
    url: { type: "url", active: true, required: true, description: "Address of the page" },
    title: { type: "text", active: true, required: false, description: "Title of the page" },
  },
  ...given,
});
