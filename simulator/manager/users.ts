import { type Answer, text } from "../service";
import { Crash } from "./crash";
import { type ApiCall, jsonOrPretty, type Routes } from "./route";
import type { ManagerState } from "./state";

const PASSWORD_LENGTH = 12;

/** The sub-users, who live in the vendor's account and not in the manager. */
export const userRoutes: Routes = {
  "GET /lpm_users": (state, call) => jsonOrPretty(call, state.loggedIn ? state.users : []),
  "POST /lpm_user": add,
};

function add(state: ManagerState, { body }: ApiCall): Answer {
  if (!state.loggedIn) throw new Crash("Cannot read properties of undefined (reading 'statusCode')");
  for (const email of String(body.email ?? "")
    .split(",")
    .filter(Boolean))
    state.users.push({ email, password: state.account.generate(PASSWORD_LENGTH) });
  return text("ok");
}
