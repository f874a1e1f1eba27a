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

/** Tells the customers' stacks from others of the project. */
const PREFIX = "customer-";

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
    { stackName: `${PREFIX}${customer.name}`, projectName, program: programFor(customer) },
    { workDir },
  );

async function main(command: string): Promise<void> {
  const customers: Customer[] = JSON.parse(readFileSync("customers.json", "utf8"));
  if (customers.length === 0) throw new Error("customers.json names no customer. Nothing is removed.");
  const nameless = customers.find(({ name }) => !name);
  if (nameless)
    throw new Error(`A customer in customers.json has no name: ${JSON.stringify(nameless)}. Nothing is removed.`);
  const workspace = await LocalWorkspace.create({ workDir });
  const stacks = await workspace.listStacks();
  for (const customer of customers) {
    const stack = await stackOf(customer);
    const { changeSummary = {} } = command === "up" ? await summaryOfUp(stack) : await stack.preview();
    console.log(customer.name, JSON.stringify(changeSummary));
  }
  // A name with a slash is that of a stack of another organization or project.
  const known = stacks.filter(({ name }) => name.startsWith(PREFIX) && !name.includes("/"));
  const names = known.map(({ name }) => name.slice(PREFIX.length));
  for (const name of names.filter((each) => customers.every((customer) => customer.name !== each))) {
    console.log(name, command === "up" ? "is removed" : "would be removed");
    if (command !== "up") continue;
    const stack = await stackOf({ name, country: "" });
    await stack.destroy();
    await workspace.removeStack(stack.name);
  }
}

async function summaryOfUp(stack: Stack) {
  const { summary } = await stack.up();
  return { changeSummary: summary.resourceChanges };
}

await main(process.argv[2] ?? "preview");
