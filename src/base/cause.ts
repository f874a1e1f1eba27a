/** Also of an error of another context: Node.js's own are that in Jest. */
export const isError = (error: unknown): error is Error =>
  error instanceof Error || Object.prototype.toString.call(error) === "[object Error]";

/** The system's code of an error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  isError(error) && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The code of a connection that a proxy in between has refused. */
export const TUNNEL_REFUSED = "ERR_PROXY_TUNNEL";

/** The code of an answer of which nothing more has come. */
export const SILENT = "UND_ERR_BODY_TIMEOUT";

export const messageOf = (error: unknown): string => (isError(error) ? error.message : String(error));

export function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

/** For `catch`: lets errors of some classes pass as nothing. */
export const unless =
  (...classes: readonly (abstract new (...given: never[]) => Error)[]) =>
  (error: unknown): undefined => {
    if (!classes.some((one) => error instanceof one)) throw error;
  };
