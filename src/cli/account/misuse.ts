/** A command that was called wrongly. */
export class Misuse extends Error {}
