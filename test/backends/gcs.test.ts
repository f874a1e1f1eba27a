import { startFakeGcs } from "../../scripts/backends/gcs.mts";
import { live } from "./scenario";

live("a bucket with the API of Google Cloud Storage: fake-gcs-server", startFakeGcs);
