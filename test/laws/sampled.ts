import { createHash } from "node:crypto";

/** One in so many is tried; which ones, the seed decides. */
const share = Number(process.env.LAWS_SHARE ?? 1);
const seed = process.env.LAWS_SEED ?? "";

export const isSampled = (name: string): boolean => isDrawn(name, share);

/** Whether it is one in so many. */
export const isDrawn = (name: string, among: number): boolean =>
  createHash("sha256").update(`${seed} ${name}`).digest().readUInt32BE() % among === 0;
