import { count, type Facts } from "../../declaration/property";

/** The number of a port of the Proxy Manager that exists. */
export const portNumber = <const F extends Facts>(facts: F) =>
  count({ expected: "expected the number of a proxy port, from 1 to 65535.", least: 1, most: 65_535, ...facts });
