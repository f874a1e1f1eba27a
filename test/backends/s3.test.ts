import { startMoto, startVersitygw } from "../../scripts/backends/s3.mts";
import { live } from "./scenario";

live("a bucket with the API of S3: moto", startMoto);

live("a bucket with the API of S3: versitygw", startVersitygw);
