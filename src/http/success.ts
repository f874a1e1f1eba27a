/** What an answer looks like when the request has been carried out: for operations that read nothing else from it. */
export interface Success {
  /** Completes "where … was expected". */
  expected: string;
  /** Takes the body without the blanks around it; an HTML page never gets here. */
  fits(body: string, status: number): boolean;
  /** Whether an object with an `error` may be what was asked for. Default: it is a refusal. */
  mayHaveError?: true;
}

/** The status that says that there is no body. An empty answer may be that of a machine in between. */
export const NO_CONTENT: Success = { expected: "one with status 204", fits: (_body, status) => status === 204 };

/** No body at all, whatever the status. */
export const EMPTY: Success = { expected: "an empty answer", fits: (body) => body === "" };

/** The status that says that something was added. */
export const CREATED: Success = { expected: "one with status 201", fits: (_body, status) => status === 201 };

/** The text `OK`, in any case, as text or as JSON. */
export const OK: Success = { expected: "the text OK", fits: (body) => /^("?)ok\1$/i.test(body) };

/** Anything but an HTML page: for answers that the service does not document, or that are read afterwards. */
export const ANYTHING: Success = { expected: "an answer", fits: () => true };

/** Whether a text is an HTML page. The content type does not tell: the manager sends every text as HTML. */
export const isPage = (text: string): boolean => /^\s*<[a-z!?]/i.test(text);
