// PROGRAM is a list of { kind, name, args, options } or { kind, name, get } or { call, name, args } or { component, type }, or of
// { stack, name } for a reference to another stack.
// In arguments, { $output: ["zone", "name"] } stands for an output of something above, and { $secret: value } for a secret.
// FORM is the form of all that have no `form` of their own.
// The options `parent`, `provider`, `providers`, `dependsOn`, `deletedWith` and `replaceWith` name something above, by its `as` where it has one;
// in an alias, `parent: null` is the stack. `transforms` are lists of arguments that take the place of the resource's own.
const pulumi = require("@pulumi/pulumi");
const { version } = require("pulumi-brightdata/package.json");

/** Classes like those of other languages: of the plugin's resources, without any code of the package. */
const foreign = new Proxy(
  {},
  {
    get: (_, kind) =>
      kind === "Provider"
        ? class extends pulumi.ProviderResource {
            constructor(name, args, options) {
              super("brightdata", name, args, { ...options, version });
            }
          }
        : class extends pulumi.CustomResource {
            constructor(name, args, options) {
              super(`brightdata:index:${kind}`, name, args, { ...options, version });
            }
          },
  },
);
const formOf = (form) =>
  form === "foreign" ? foreign : require(form === "native" ? "pulumi-brightdata/native" : "pulumi-brightdata");

const made = {};

function resolved(value) {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  if ("$output" in value) return made[value.$output[0]][value.$output[1]];
  if ("$secret" in value) return pulumi.secret(value.$secret);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item)]));
}

const transformed =
  (more) =>
  ({ props, opts }) => ({ props: { ...props, ...resolved(more) }, opts });

function resolvedOptions(options = {}) {
  const { parent, provider, providers, dependsOn, deletedWith, replaceWith, aliases, transforms, ...rest } = options;
  const former = (alias) => (alias.parent === null ? { ...alias, parent: pulumi.rootStackResource } : alias);
  return {
    ...rest,
    parent: made[parent],
    provider: made[provider],
    providers: providers?.map((name) => made[name]),
    dependsOn: dependsOn?.map((name) => made[name]),
    deletedWith: made[deletedWith],
    replaceWith: replaceWith?.map((name) => made[name]),
    aliases: aliases?.map(former),
    transforms: transforms?.map(transformed),
  };
}

for (const declaration of JSON.parse(process.env.PROGRAM)) {
  const { kind, call, component, type, name = component, as = name, args, options, get, form, stack } = declaration;
  const brightdata = formOf(form ?? process.env.FORM);
  if (stack !== undefined) made[as] = new pulumi.StackReference(name, { name: stack });
  else if (component !== undefined)
    made[as] = new pulumi.ComponentResource(type ?? "test:Component", name, {}, resolvedOptions(options));
  else if (call !== undefined) made[as] = brightdata[call](resolved(args ?? {}), resolvedOptions(options));
  else if (get !== undefined) made[as] = brightdata[kind].get(name, resolved(get));
  else made[as] = new brightdata[kind](name, resolved(args), resolvedOptions(options));
}

for (const [name, value] of Object.entries(made)) {
  if (!pulumi.Resource.isInstance(value)) {
    exports[name] = value;
    continue;
  }
  const outputs = Object.entries(value).filter(([key, item]) => !key.startsWith("_") && pulumi.Output.isInstance(item));
  exports[name] = Object.fromEntries(outputs.filter(([key]) => key !== "urn"));
}
