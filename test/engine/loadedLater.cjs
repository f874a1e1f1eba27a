// Halves what starting a program and its provider costs, which is most of what a command of the CLI costs: of what is loaded with the
// SDK, most is hardly ever used. Here it is loaded once somebody looks at it, and what serves tracing or maps the SDK's own lines
// in stack traces, which no test asks for, is not loaded at all. Nothing else differs.
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");

const LATER = new Set([
  "typescript",
  "@npmcli/arborist",
  "normalize-package-data",
  "./automation",
  "js-yaml",
  "semver",
  "../locales/index.cjs",
]);
const NEVER = new Set([
  "source-map-support/register",
  ...[
    "exporter-zipkin",
    "instrumentation",
    "instrumentation-grpc",
    "resources",
    "sdk-trace-base",
    "sdk-trace-node",
  ].map((name) => `@opentelemetry/${name}`),
]);

// Not in npm, say, which is a user of arborist.
if (/@pulumi\/pulumi\/cmd\//.test(process.argv[1] ?? "")) {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    if (NEVER.has(request)) return {};
    const now = () => load.call(this, request, ...rest);
    // Connects a debugger, for which all garbage is collected first, in case a function is to be serialized. It is connected then, too.
    if (request === "../../runtime/closure/v8Hooks") return { ...now(), isInitializedAsync: async () => undefined };
    return LATER.has(request) ? later(now) : now();
  };
}

function later(load) {
  let loaded;
  const real = () => (loaded ??= load());
  return new Proxy(Object.create(null), {
    // Whoever imports all of a module asks for this first, and copies it if it is not there.
    get: (_, name) => (name === "__esModule" ? true : real()[name]),
    has: (_, name) => name in real(),
    ownKeys: () => Reflect.ownKeys(real()),
    getOwnPropertyDescriptor: (_, name) => {
      const descriptor = Object.getOwnPropertyDescriptor(real(), name);
      return descriptor && { ...descriptor, configurable: true };
    },
  });
}

// A language host that is built here is an older one, which does not read this option of a project.
const folder = process.argv[process.argv.indexOf("--pwd") + 1];
if (process.env.PULUMI_NODEJS_TYPESCRIPT === "true" && /^\s+typescript: false$/m.test(project(folder))) {
  delete process.env.PULUMI_NODEJS_TYPESCRIPT;
}

function project(folder) {
  try {
    return readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  } catch {
    return "";
  }
}
