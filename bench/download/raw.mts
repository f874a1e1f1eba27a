// What undici takes to write the answer to a file, which gzip unpacks and packs again where it is compressed.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { request } from "undici";
import { measured, readTask } from "./task.mts";

const { url, file, format, compress, sync } = readTask();

await (await request(`${url}/datasets/v3/progress/s_bench`)).body.dump();
await measured(async () => {
  const { body } = await request(`${url}/datasets/v3/snapshot/s_bench?format=${format}&compress=${compress}`);
  const target = createWriteStream(file, { flush: sync });
  await (compress ? pipeline(body, createGunzip(), createGzip(), target) : pipeline(body, target));
});
