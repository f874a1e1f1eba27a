import { count, type Facts } from "../../declaration/property";

/** A port whose number may not be known yet, for a preview. */
export const portInWords = (port: unknown): string => (typeof port === "number" ? `port ${port}` : "a port");

export const portNumber = <const F extends Facts>(facts: F) =>
  count({ expected: "expected the number of a proxy port, from 1 to 65535.", least: 1, most: 65_535, ...facts });
