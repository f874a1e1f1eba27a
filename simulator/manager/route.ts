import { type Answer, json, type SimulatedRequest, type SimulatedResponse, text } from "../service";
import type { ManagerState } from "./state";

/** A call of the manager's API that has passed the front door. */
export interface ApiCall extends SimulatedRequest {
  /** The body as Express parses it: `{}` when there is none or when its content type is not known. */
  body: Record<string, unknown>;
}

/** May throw a `Crash`. */
export type Handler = (state: ManagerState, call: ApiCall) => Answer | Promise<Answer>;

export type ApiVersion = "v1" | "v2";

export interface Route {
  answer: Handler;
  /** The only version that has the route; both when absent. */
  only?: ApiVersion;
  /** Whether the narrow limit for new tokens and certificates applies too. */
  scarce?: boolean;
  /** The numbers of ports that the call would take, as far as it can be told before. */
  claims?: (state: ManagerState, call: ApiCall) => number[];
}

/** What answers a method and a path below `/api` and `/api/v2`, such as `GET /version`. */
export type Routes = Readonly<Record<string, Handler | Route>>;

/** The error shape of the calls that create and change ports. */
export const portErrors = (errors: readonly object[]): SimulatedResponse => json({ errors }, 400);

export const noContent = (): SimulatedResponse => ({ status: 204 });

/** JSON, or indented JSON sent as HTML where the query says `pretty`. */
export const jsonOrPretty = ({ query }: ApiCall, body: unknown): SimulatedResponse =>
  query.has("pretty") ? text(JSON.stringify(body, null, 2)) : json(body);
