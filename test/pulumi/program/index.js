// PROGRAM is a list of { kind, name, args, options } or { kind, name, get } or { call, name, args } or { component }.
// In arguments, { $output: ["zone", "name"] } stands for an output of something above, and { $secret: value } for a secret.
// The options `parent` and `deletedWith` are the name of something above; in an alias, `parent: null` is the stack.
const pulumi = require("@pulumi/pulumi");
const brightdata = require("pulumi-brightdata");

const made = {};

function resolved(value) {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  if ("$output" in value) return made[value.$output[0]][value.$output[1]];
  if ("$secret" in value) return pulumi.secret(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item)]));
}

function resolvedOptions({ parent, provider, providers, aliases, deletedWith, ...rest } = {}) {
  const former = (alias) => (alias.parent === null ? { ...alias, parent: pulumi.rootStackResource } : alias);
  return {
    ...rest,
    parent: made[parent],
    deletedWith: made[deletedWith],
    provider: made[provider],
    providers: providers?.map((name) => made[name]),
    aliases: aliases?.map(former),
  };
}

for (const { kind, call, component, name = component, args, options, get } of JSON.parse(process.env.PROGRAM)) {
  if (component !== undefined)
    made[name] = new pulumi.ComponentResource("test:Component", name, {}, resolvedOptions(options));
  else if (call !== undefined)
    made[name] = brightdata[call](...(args === undefined ? [] : [resolved(args)]), resolvedOptions(options));
  else if (get !== undefined) made[name] = brightdata[kind].get(name, get);
  else made[name] = new brightdata[kind](name, resolved(args), resolvedOptions(options));
}

for (const [name, value] of Object.entries(made)) {
  if (!pulumi.Resource.isInstance(value)) {
    exports[name] = value;
    continue;
  }
  const outputs = Object.entries(value).filter(([key, item]) => !key.startsWith("_") && pulumi.Output.isInstance(item));
  exports[name] = Object.fromEntries(outputs.filter(([key]) => key !== "urn"));
}
