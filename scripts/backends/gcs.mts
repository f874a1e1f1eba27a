import { freePort } from "../freePort.mts";
import { installedByGo } from "../installed.mts";
import { type BackendServer, BUCKET, bodyOf, serve } from "./server.mts";

/** fake-gcs-server, a stand-in for Google Cloud Storage. */
export async function startFakeGcs(): Promise<BackendServer> {
  const program = await installedByGo("github.com/fsouza/fake-gcs-server", "1.56.1", "50 MB, 5 minutes");
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const url = `http://${host}`;
  const address = ["-host", "127.0.0.1", "-port", String(port), "-external-url", url, "-public-host", host];
  const args = ["-scheme", "http", "-backend", "memory", "-log-level", "error", ...address];
  const close = await serve(program, args, url);
  const buckets = `${url}/storage/v1/b`;
  await bodyOf(`${buckets}?project=loopback`, {
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
      const bucket = `${buckets}/${BUCKET}/o`;
      const { items = [] } = JSON.parse((await bodyOf(bucket)).toString()) as { items?: { name: string }[] };
      const objects = items.map(
        async ({ name }) => [name, await bodyOf(`${bucket}/${encodeURIComponent(name)}?alt=media`)] as const,
      );
      return new Map(await Promise.all(objects));
    },
    close,
  };
}
