/** The system's code of an error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** The code of a connection that a proxy in between has refused. */
export const TUNNEL_REFUSED = "ERR_PROXY_TUNNEL";

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

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
