/** What a terminal, or the order of letters, would be changed by. */
const COMMANDS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Text of others that can be shown, in one line: names of zones are theirs to choose, and so are the words of a service. */
export const printable = (text: string): string => text.replace(/[\t\r\n]+/g, " ").replace(COMMANDS, "\ufffd");
