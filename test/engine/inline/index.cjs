// Brings up programs of the Automation API one after the other, in this process: PROGRAMS has { declarations, options, fails } for
// each. `options` are those of the update, which is to fail where `fails` is true. In the end, nothing is left to do.
// A declaration is { kind, name, args, dependsOn, repeated, refused }: `dependsOn` names something above, `repeated` is how often
// an error hook has what fails done again, and a hook before the creation fails with what `refused` says.
// ENVIRONMENT has what the workspaces alone are told, and FORM is the form of all.
const pulumi = require("@pulumi/pulumi");
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const brightdata = require(process.env.FORM === "native" ? "pulumi-brightdata/native" : "pulumi-brightdata");

function hooksOf({ name, repeated = 0, refused }) {
  let left = repeated;
  const again = () => {
    if (left > 0) console.log(`once more: ${name}`);
    return left-- > 0;
  };
  const fail = () => {
    throw new Error(refused);
  };
  return {
    onError: repeated > 0 ? [new pulumi.ErrorHook(`again-${name}`, again)] : [],
    beforeCreate: refused === undefined ? [] : [new pulumi.ResourceHook(`refused-${name}`, fail)],
  };
}

const programOf = (declarations) => async () => {
  const made = {};
  for (const declaration of declarations) {
    const { kind, name, args, dependsOn, repeated, refused } = declaration;
    const hooks = repeated === undefined && refused === undefined ? {} : { hooks: hooksOf(declaration) };
    made[name] = new brightdata[kind](name, args, { dependsOn: made[dependsOn], ...hooks });
  }
};

async function stackOf(declarations) {
  const of = { stackName: "inline", projectName: "inline", program: programOf(declarations) };
  return await LocalWorkspace.createOrSelectStack(of, { envVars: JSON.parse(process.env.ENVIRONMENT) });
}

async function main() {
  const programs = JSON.parse(process.env.PROGRAMS);
  for (const { declarations, options, fails = false } of programs) {
    const stack = await stackOf(declarations);
    const failure = await stack.up({ onOutput: (words) => process.stdout.write(words), ...options }).then(
      () => undefined,
      (error) => error,
    );
    if (fails && failure === undefined) throw new Error("The update has not failed.");
    if (!fails && failure !== undefined) throw failure;
  }
  const stack = await stackOf(programs.at(-1).declarations);
  await stack.preview({ expectNoChanges: true });
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
