import { text } from "../service";
import { type Answer, type ApiCall, Crash, jsonOrPretty, type Operation } from "./operation";
import type { ManagerState } from "./state";

const PASSWORD_LENGTH = 12;

/** The sub-users, who live in the vendor's account and not in the manager. */
export const userOperations = (state: ManagerState): Operation[] => [
  { method: "GET", path: "/lpm_users", answer: (call) => jsonOrPretty(call, state.loggedIn ? state.users : []) },
  { method: "POST", path: "/lpm_user", answer: (call) => add(state, call) },
];

function add(state: ManagerState, { body }: ApiCall): Answer {
  if (!state.loggedIn) throw new Crash("Cannot read properties of undefined (reading 'statusCode')");
  const { email: emails = "" } = body;
  if (emails !== null && typeof emails !== "string") {
    throw new Crash('((intermediate value) ?? "").split is not a function or its return value is not iterable');
  }
  for (const email of emails?.split(",").filter(Boolean) ?? [])
    state.users.push({ email, password: state.account.generate(PASSWORD_LENGTH) });
  return text("ok");
}
