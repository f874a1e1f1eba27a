/** Cases that are being mended, `kind, variant | law`. The suite fails when one of them passes. */
export const KNOWN: ReadonlySet<string> = new Set<string>([]);
