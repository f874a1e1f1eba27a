import { createHash } from "node:crypto";

/** Makes a new string of lower-case letters and digits, as the service's ids and passwords are. */
export type Generator = (length: number) => string;

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** With one seed the strings come in the same order every time. */
export function createGenerator(seed: string): Generator {
  let drawn = 0;
  const draw = (): Buffer => createHash("sha256").update(`${seed}:${drawn++}`).digest();
  return (length) => {
    let result = "";
    while (result.length < length) {
      for (const byte of draw()) result += ALPHABET.charAt(byte % ALPHABET.length);
    }
    return result.slice(0, length);
  };
}
