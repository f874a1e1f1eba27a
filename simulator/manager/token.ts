import { type Answer, json, text } from "../service";
import { save } from "./configFile";
import type { Routes } from "./route";
import type { ManagerState } from "./state";

const TOKEN_LENGTH = 14;

/** The API token, of which there is one: each new one ends the one before it. */
export const tokenRoutes: Routes = {
  "GET /gen_token": { only: "v1", scarce: true, answer: newToken },
  "POST /gen_token": { only: "v2", scarce: true, answer: newToken },
  "GET /gen_cert": { only: "v1", scarce: true, answer: () => text("OK") },
  "POST /gen_cert": { only: "v2", scarce: true, answer: () => text("OK") },
};

function newToken(state: ManagerState): Answer {
  const token = state.account.generate(TOKEN_LENGTH);
  state.settings.token_auth = token;
  for (const { config } of state.running.values()) config.token_auth = token;
  save(state);
  return json({ token });
}
