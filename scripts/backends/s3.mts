import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../freePort.mts";
import { install, installed, installedByGo } from "../installed.mts";
import { filesIn, remove, scratch } from "./folder.mts";
import { type BackendServer, BUCKET, bodyOf, serve } from "./server.mts";

const MOTO = "5.2.5";

const KEYS = { AWS_ACCESS_KEY_ID: "loopback", AWS_SECRET_ACCESS_KEY: "loopback-key" };

const environmentAt = (endpoint: string): NodeJS.ProcessEnv => ({
  ...KEYS,
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_CONFIG_FILE: "/dev/null",
  AWS_SHARED_CREDENTIALS_FILE: "/dev/null",
  PULUMI_BACKEND_URL: `s3://${BUCKET}?endpoint=${endpoint}&region=us-east-1&s3ForcePathStyle=true`,
});

/** Moto, the stand-in for AWS that is written in Python. */
export async function startMoto(): Promise<BackendServer> {
  const packages = await installed({ name: `moto-${MOTO}`, effort: "about 200 MB and 30 seconds" }, (folder) => {
    const args = ["-m", "pip", "install", "--quiet", "--target", folder, `moto[s3]==${MOTO}`, "flask", "flask-cors"];
    return install("python3", args, {});
  });
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PYTHONPATH: packages };
  const close = await serve("python3", ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)], endpoint, { env });
  await bodyOf(`${endpoint}/${BUCKET}`, { method: "PUT", headers: SIGNED });
  return { environment: environmentAt(endpoint), objects: () => listed(`${endpoint}/${BUCKET}`), close };
}

/** Moto wants a signature and does not check it. */
const SIGNED = { Authorization: `AWS ${KEYS.AWS_ACCESS_KEY_ID}:signature` };

async function listed(bucket: string): Promise<Map<string, Buffer>> {
  const list = (await bodyOf(`${bucket}?list-type=2`, { headers: SIGNED })).toString();
  const names = [...list.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, name = ""]) => name);
  const objects = names.map(async (name) => [name, await bodyOf(`${bucket}/${name}`, { headers: SIGNED })] as const);
  return new Map(await Promise.all(objects));
}

/** Versity's gateway, which serves a folder. */
export async function startVersitygw(): Promise<BackendServer> {
  const program = await installedByGo("github.com/versity/versitygw/cmd/versitygw", "1.8.0", "80 MB, 5 minutes");
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const folder = await scratch();
  await mkdir(join(folder, BUCKET));
  const env = { ...process.env, ROOT_ACCESS_KEY: KEYS.AWS_ACCESS_KEY_ID, ROOT_SECRET_KEY: KEYS.AWS_SECRET_ACCESS_KEY };
  const close = await serve(program, ["--port", `127.0.0.1:${port}`, "posix", folder], endpoint, {
    env,
  });
  return {
    environment: environmentAt(endpoint),
    objects: () => filesIn(join(folder, BUCKET)),
    async close() {
      await close();
      await remove(folder);
    },
  };
}
