import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import ts from "typescript";
import { beforeAll, expect, test } from "vitest";
import { type Handler, json } from "../../simulator/service";
import { serve } from "./loopback";

const ROOT = resolve(__dirname, "../..");
let folder: string;

// A process of its own, as a program of the package runs: compiled, and with the connections that it opens.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pulumi-brightdata-"));
  await cp(join(ROOT, "package.json"), join(folder, "package.json"));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  for (const directory of ["", "base", "settings", "model", "http", "declaration", "kinds/zone"]) {
    await mkdir(join(folder, "dist", directory), { recursive: true });
    for (const file of await readdir(join(ROOT, "src", directory))) {
      if (!file.endsWith(".ts") || file.endsWith(".d.ts")) continue;
      const source = await readFile(join(ROOT, "src", directory, file), "utf8");
      const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(source, { fileName: file, compilerOptions });
      await writeFile(join(folder, "dist", directory, file.replace(/\.ts$/, ".js")), outputText);
    }
  }
  return () => rm(folder, { recursive: true });
});

/** Runs a program that ends when nothing keeps it; `call` uses `transport`. */
async function run(url: string, call: string): Promise<string> {
  const program = `
    const { Transport } = require("./dist/http/transport.js");
    const { Log } = require("./dist/http/log.js");
    const { ANYTHING } = require("./dist/http/success.js");
    const transport = new Transport({
      service: "remote", baseUrl: ${JSON.stringify(url)}, requestTimeout: 3600, retries: 0, requestsPerMinute: 1, log: new Log("off"),
    });
    const call = { operation: "read the thing", request: "GET /thing" };
    ${call}.then(() => console.log("done"), (error) => console.log(error.name));
    process.on("exit", () => console.log("left", process.getActiveResourcesInfo().filter((name) => name === "Timeout").length));
  `;
  const child = spawn(process.execPath, ["-e", program], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  return text(child.stdout);
}

test.each<[string, Handler, string, string]>([
  ["an answer", () => json({}), "transport.send(call, ANYTHING)", "done"],
  ["a refusal", () => json({}, 400), "transport.send(call, ANYTHING)", "InvalidRequestError"],
  ["a stream", () => json({}), "transport.stream(call).then(({ body }) => body.text())", "done"],
  [
    "an abort while it waits for its turn",
    () => json({}),
    `(() => {
      const controller = new AbortController();
      return transport.send(call, ANYTHING).then(() => {
        const second = transport.send({ ...call, signal: controller.signal }, ANYTHING);
        controller.abort(new Error("enough"));
        return second;
      });
    })()`,
    "Error",
  ],
])("after %s nothing keeps the process, though the service holds the connection", async (_, handler, call, outcome) => {
  const service = await serve((request) => handler(request));
  expect(await run(service.url, call)).toBe(`${outcome}\nleft 0\n`);
});
