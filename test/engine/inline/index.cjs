// Brings up programs of the Automation API one after the other, in this process: PROGRAMS has a list of declarations for each.
// A declaration is { kind, name, args, dependsOn }: the last names something above. ENVIRONMENT has what the workspaces alone are told.
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const brightdata = require("pulumi-brightdata");

const programOf = (declarations) => async () => {
  const made = {};
  for (const { kind, name, args, dependsOn } of declarations)
    made[name] = new brightdata[kind](name, args, { dependsOn: made[dependsOn] });
};

async function main() {
  for (const declarations of JSON.parse(process.env.PROGRAMS)) {
    const of = { stackName: "inline", projectName: "inline", program: programOf(declarations) };
    const stack = await LocalWorkspace.createOrSelectStack(of, { envVars: JSON.parse(process.env.ENVIRONMENT) });
    await stack.up({ onOutput: (words) => process.stdout.write(words) });
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
