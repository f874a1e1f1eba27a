import { createHash } from "node:crypto";

/** One in so many is tried; which ones, the seed decides. */
const share = Number(process.env.LAWS_SHARE ?? 1);
const seed = Number(process.env.LAWS_SEED ?? 0);

export const isSampled = (name: string): boolean => isDrawn(name, share);

/** Whether it is one in so many. It is another one with the next seed: after so many seeds, each has had its turn. */
export const isDrawn = (name: string, among: number): boolean =>
  (createHash("sha256").update(name).digest().readUInt32BE() + seed) % among === 0;
