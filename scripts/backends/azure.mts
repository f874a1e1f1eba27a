import { createHmac } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../freePort.mts";
import { installedByNpm } from "../installed.mts";
import { remove, scratch } from "./folder.mts";
import { type BackendServer, BUCKET, bodyOf, serve } from "./server.mts";

const AZURITE = "3.37.0";

/** What every Azurite has: see https://learn.microsoft.com/azure/storage/common/storage-use-azurite. */
const ACCOUNT = "devstoreaccount1";
const KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

/** Azurite, the vendor's emulator of Azure Blob Storage. */
export async function startAzurite(): Promise<BackendServer> {
  const installation = { name: `azurite-${AZURITE}`, effort: "about 365 MB and 2 minutes" };
  const packages = await installedByNpm(installation, [`azurite@${AZURITE}`]);
  const [port, folder] = [await freePort(), await scratch()];
  const url = `http://127.0.0.1:${port}`;
  const main = join(packages, "node_modules/azurite/dist/src/blob/main.js");
  const args = [main, "--blobPort", String(port), "--location", folder, "--skipApiVersionCheck", "--disableTelemetry"];
  const close = await serve(process.execPath, args, url);
  const blobs = `${url}/${ACCOUNT}/${BUCKET}`;
  await send("PUT", `${blobs}?restype=container`);
  return {
    environment: {
      AZURE_STORAGE_ACCOUNT: ACCOUNT,
      AZURE_STORAGE_KEY: KEY,
      PULUMI_BACKEND_URL: `azblob://${BUCKET}?protocol=http&domain=127.0.0.1:${port}&localemu=true`,
    },
    async objects() {
      const list = (await send("GET", `${blobs}?comp=list&restype=container`)).toString();
      const names = [...list.matchAll(/<Name>(.*?)<\/Name>/g)].map(([, name = ""]) => name);
      return new Map(
        await Promise.all(names.map(async (name) => [name, await send("GET", `${blobs}/${name}`)] as const)),
      );
    },
    async close() {
      await close();
      await remove(folder);
    },
  };
}

/** Azurite answers to signed requests alone. */
function send(method: string, url: string): Promise<Buffer> {
  const { pathname, searchParams } = new URL(url);
  const headers = { "x-ms-date": new Date().toUTCString(), "x-ms-version": "2021-08-06" };
  const own = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const query = [...searchParams].map(([name, value]) => `\n${name}:${value}`);
  const signed = `${method}${"\n".repeat(12)}${own.join("")}/${ACCOUNT}${pathname}${query.join("")}`;
  const signature = createHmac("sha256", Buffer.from(KEY, "base64")).update(signed).digest("base64");
  const authorization = { Authorization: `SharedKey ${ACCOUNT}:${signature}` };
  return bodyOf(url, { method, headers: { ...headers, ...authorization } });
}
