import { ArgumentError, PermissionError } from "../../base/errors";
import { mostSimilar } from "../../base/nearest";
import type { Account } from "../../lifecycle/account";
import type { Step } from "../../lifecycle/lifecycle";
import { mayMeanNoZone } from "../../remote/absence";
import { IF_DELETED } from "../../remote/remedies";

// How long a zone is waited for that the account may not have.
const UNCERTAIN_ZONE_SECONDS = 15;

/** Waits for a zone created a moment ago: a port of one that the manager does not know could never be changed again. */
export async function requireZone(zone: string, step: Step): Promise<void> {
  const { context, deadline } = step;
  if (!(await context.loggedIn.get(deadline.signal))) {
    throw new ArgumentError(
      `The Proxy Manager at ${context.manager.url} is not logged in to an account, so it knows no zones and could never change a port of zone ${JSON.stringify(zone)}. Log in at ${context.manager.url} and run again.`,
    );
  }
  const known = async () => (await context.managerZones.get(deadline.signal)).map(({ name }) => name);
  const names = await known();
  if (names.includes(zone)) return;
  const missing = () =>
    new ArgumentError(
      `The Proxy Manager at ${context.manager.url} does not know zone ${JSON.stringify(zone)}. It knows ${orDeclare(zone, names)} the zone, or log the manager in to the account that has it. ${IF_DELETED}`,
    );
  const holder = await accountWith(zone, step);
  if (holder === "none") throw missing();
  const last = holder === undefined ? Date.now() + UNCERTAIN_ZONE_SECONDS * 1000 : Number.POSITIVE_INFINITY;
  // Which account the manager is logged in to is not known: the person can tell whether it is the right one.
  const where =
    holder === undefined ? "" : `, which ${holder.title} has: the manager must be logged in to that account`;
  await deadline.poll(`waiting for the Proxy Manager to learn of zone ${JSON.stringify(zone)}${where}`, async () => {
    if (Date.now() > last) throw missing();
    context.managerZones.forget();
    return (await known()).includes(zone) ? true : undefined;
  });
}

/** So many zones are read through. */
const FEW = 10;

function orDeclare(zone: string, names: readonly string[]): string {
  if (names.length === 0) return "none. Declare";
  if (names.length > FEW) {
    return `${names.length} zones; ${mostSimilar(zone, names, 3)}. Name one of its zones, declare`;
  }
  return `${names.map((name) => JSON.stringify(name)).join(", ")}. Name one of these, declare`;
}

/** The first of the accounts that has a zone; `undefined` when that cannot be found out. */
async function accountWith(zone: string, step: Step): Promise<Account | "none" | undefined> {
  const { accounts } = step.context;
  const answers = await Promise.all(
    accounts.map((account) =>
      accountHas(zone, account, step).catch((error: unknown) => {
        // Another account may be the one that the manager is logged in to.
        if (accounts.length > 1) return undefined;
        throw error;
      }),
    ),
  );
  const holder = accounts[answers.indexOf(true)];
  return holder ?? (answers.includes(undefined) ? undefined : "none");
}

async function accountHas(zone: string, account: Account, { deadline }: Step): Promise<boolean | undefined> {
  if (!account.hasToken) return undefined;
  try {
    const listed = (await account.zones.get(deadline.signal)).find(({ name }) => name === zone);
    if (listed !== undefined) return listed.status !== "deleted";
    // A new zone can be read before it is listed.
    await account.client.zones.get(zone, deadline);
    return true;
  } catch (error) {
    if (error instanceof PermissionError) return undefined;
    if (mayMeanNoZone(error)) return false;
    throw error;
  }
}
