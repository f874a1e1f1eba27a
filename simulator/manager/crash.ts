/** An exception that the manager does not catch: `500`, `Server error: <message>`. */
export class Crash extends Error {}
