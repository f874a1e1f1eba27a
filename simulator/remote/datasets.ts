import { json } from "../service";
import type { Routes } from "./call";
import { namedDataset } from "./datasetCalls";

export const datasetRoutes: Routes = {
  "GET /datasets/list": ({ account }) =>
    json([...account.datasets.values()].map(({ id, name, size }) => ({ id, name, size }))),
  "GET /datasets/:dataset_id/metadata": (call) => {
    const { id, fields } = namedDataset(call, call.params.dataset_id ?? "");
    return json({ id, fields });
  },
};
