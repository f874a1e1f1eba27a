import { readFileSync } from "node:fs";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import * as brightdata from "pulumi-brightdata";

interface Customer {
  name: string;
  country: string;
}

// The provider starts in the working directory, and has to find the package there.
const workDir = process.cwd();
const projectName = "pulumi-brightdata-many-stacks";

/** What every customer has. */
const programFor = (customer: Customer) => async () => {
  const zone = new brightdata.Zone("web", {
    name: `web_${customer.name}`,
    plan: { type: "static", ipsType: "shared", country: customer.country },
  });
  return { zone: zone.name, password: zone.password };
};

const stackOf = (customer: Customer): Promise<Stack> =>
  LocalWorkspace.createOrSelectStack(
    { stackName: customer.name, projectName, program: programFor(customer) },
    { workDir },
  );

async function main(command: string): Promise<void> {
  const customers: Customer[] = JSON.parse(readFileSync("customers.json", "utf8"));
  const workspace = await LocalWorkspace.create({ workDir });
  const stacks = await workspace.listStacks();
  for (const customer of customers) {
    const stack = await stackOf(customer);
    const { changeSummary = {} } = command === "up" ? await summaryOfUp(stack) : await stack.preview();
    console.log(customer.name, JSON.stringify(changeSummary));
  }
  const former = stacks.filter(({ name }) => customers.every((customer) => customer.name !== name));
  for (const { name } of former) {
    console.log(name, command === "up" ? "is removed" : "would be removed");
    if (command !== "up") continue;
    const stack = await stackOf({ name, country: "" });
    await stack.destroy();
    await workspace.removeStack(name);
  }
}

async function summaryOfUp(stack: Stack) {
  const { summary } = await stack.up();
  return { changeSummary: summary.resourceChanges };
}

await main(process.argv[2] ?? "preview");
