import { json, text } from "../service";
import { save } from "./configFile";
import type { Answer, Operation } from "./operation";
import type { ManagerState } from "./state";

const TOKEN_LENGTH = 14;

/** The API token, of which there is one: each new one ends the one before it. */
export function tokenOperations(state: ManagerState): Operation[] {
  const answer = (): Answer => json({ token: newToken(state) });
  const certificate = (): Answer => text("OK");
  return [
    { method: "GET", path: "/gen_token", only: "v1", scarce: true, answer },
    { method: "POST", path: "/gen_token", only: "v2", scarce: true, answer },
    { method: "GET", path: "/gen_cert", only: "v1", scarce: true, answer: certificate },
    { method: "POST", path: "/gen_cert", only: "v2", scarce: true, answer: certificate },
  ];
}

function newToken(state: ManagerState): string {
  const token = state.account.generate(TOKEN_LENGTH);
  state.settings.token_auth = token;
  for (const { config } of state.running.values()) config.token_auth = token;
  save(state);
  return token;
}
