/** What whoever runs the generator can mend: the message names the file and says how. */
export class Failure extends Error {}
