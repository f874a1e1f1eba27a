import { json } from "../service";
import type { RemoteContext } from "./call";
import { namedDataset } from "./datasetCalls";

/** The catalogue of datasets. */
export function addDatasetRoutes(context: RemoteContext): void {
  const { account, route } = context;

  route("GET", "/datasets/list", () =>
    json([...account.datasets.values()].map(({ id, name, size }) => ({ id, name, size }))),
  );

  route("GET", "/datasets/:dataset_id/metadata", (request) => {
    const { id, fields } = namedDataset(context, request.params.dataset_id ?? "");
    return json({ id, fields });
  });
}
