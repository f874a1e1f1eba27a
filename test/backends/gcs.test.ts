import { test } from "vitest";
import { startFakeGcs } from "../../scripts/backends/gcs.mts";
import { live } from "./scenario";

test("a stack lives in a bucket with the API of Google Cloud Storage: fake-gcs-server", () => live(startFakeGcs()));
