import { json, type SimulatedResponse, text } from "../service";

/** Thrown by a handler that answers with an error. */
export class Refused extends Error {
  readonly code = "ERR_REFUSED";

  constructor(readonly response: SimulatedResponse) {
    super(String(response.body));
  }
}

/** An error of the zone calls: text, with the header that marks an answer as an error whatever its status. */
export const refuse = (status: number, message: string): Refused => {
  const { headers, ...response } = text(message, status);
  return new Refused({ ...response, headers: { ...headers, "x-brd-error": message } });
};

export const refuseJson = (status: number, body: unknown): Refused => new Refused(json(body, status));

/** What a handler answers, or the refusal that it throws. */
export function orRefused<T>(answer: (request: T) => SimulatedResponse, request: T): SimulatedResponse {
  try {
    return answer(request);
  } catch (error) {
    if (error instanceof Refused) return error.response;
    throw error;
  }
}
