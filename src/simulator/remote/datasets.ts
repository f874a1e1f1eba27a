import { json } from "../service";
import type { RemoteContext } from "./context";
import { datasetRefusal } from "./datasetCalls";

/** The catalogue of datasets. */
export function addDatasetRoutes(context: RemoteContext): void {
  const { account, route } = context;

  route("GET", "/datasets/list", () =>
    json([...account.datasets.values()].map(({ id, name, size }) => ({ id, name, size }))),
  );

  route("GET", "/datasets/:dataset_id/metadata", (request) => {
    const dataset = account.datasets.get(request.params.dataset_id ?? "");
    if (dataset === undefined) throw datasetRefusal(context, 404, "dataset does not exist");
    return json({ id: dataset.id, fields: dataset.fields });
  });
}
