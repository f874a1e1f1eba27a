import { test } from "vitest";
import { startMoto, startVersitygw } from "../../scripts/backends/s3.mts";
import { live } from "./scenario";

test("a stack lives in a bucket with the API of S3: moto", () => live(startMoto()));

test("a stack lives in a bucket with the API of S3: versitygw", () => live(startVersitygw()));
