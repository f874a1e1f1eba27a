import { join } from "node:path";
import { install, installed } from "../installed.mts";
import { type BackendServer, BUCKET, freePort, serve } from "./server.mts";

const FAKE_GCS_SERVER = "1.56.1";

/** fake-gcs-server, a stand-in for Google Cloud Storage. */
export async function startFakeGcs(): Promise<BackendServer> {
  const installation = { name: `fake-gcs-server-${FAKE_GCS_SERVER}`, effort: "about 50 MB and 5 minutes" };
  const binaries = await installed(installation, (folder) =>
    install("go", ["install", `github.com/fsouza/fake-gcs-server@v${FAKE_GCS_SERVER}`], {
      env: { ...process.env, GOBIN: folder, GOFLAGS: "-mod=mod" },
    }),
  );
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const url = `http://${host}`;
  const address = ["-host", "127.0.0.1", "-port", String(port), "-external-url", url, "-public-host", host];
  const args = ["-scheme", "http", "-backend", "memory", "-log-level", "error", ...address];
  const close = await serve(join(binaries, "fake-gcs-server"), args, url);
  const buckets = `${url}/storage/v1/b`;
  await fetch(`${buckets}?project=loopback`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: BUCKET }),
  });
  return {
    environment: {
      STORAGE_EMULATOR_HOST: host,
      GOOGLE_OAUTH_ACCESS_TOKEN: "loopback",
      PULUMI_BACKEND_URL: `gs://${BUCKET}`,
    },
    async objects() {
      const { items = [] } = (await (await fetch(`${buckets}/${BUCKET}/o`)).json()) as { items?: { name: string }[] };
      const objects = items.map(async ({ name }) => {
        const object = await fetch(`${buckets}/${BUCKET}/o/${encodeURIComponent(name)}?alt=media`);
        return [name, Buffer.from(await object.arrayBuffer())] as const;
      });
      return new Map(await Promise.all(objects));
    },
    close,
  };
}
