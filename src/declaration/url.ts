import { type Facts, text } from "./property";

/** The URL of something that the service calls. */
export const url = <const F extends Facts>(facts: F) =>
  text({ must: [{ format: "url", expected: "expected a URL that begins with https:// or http://." }], ...facts });
