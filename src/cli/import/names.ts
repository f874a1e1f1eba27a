/** Words that cannot name a constant of a program, or would hide what its files use. */
const RESERVED: ReadonlySet<string> = new Set(
  `arguments as async await boolean brightdata break case catch class config const continue debugger declare default
  delete do else enum eval export exports extends false finally for from function get global globalThis if implements
  import in infinity instanceof interface let module namespace nan new null number object of package private protected
  public pulumi require return set static string super switch symbol this throw true try type typeof undefined var void
  while with yield`.split(/\s+/),
);

/** Gives each thing a name that no other has. Those that come first keep the plain one. */
export class Names {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken);
  }

  /** The first of the candidates that is free; of the last one, the first number that makes it so. */
  take(...candidates: readonly [string, ...string[]]): string {
    return this.takeWhere(() => true, ...candidates);
  }

  /** The same, of those that will do. */
  takeWhere(isFit: (name: string) => boolean, ...candidates: readonly [string, ...string[]]): string {
    const isFree = (candidate: string) => !this.#taken.has(candidate) && isFit(candidate);
    const last = candidates.at(-1) ?? "";
    let name = candidates.find(isFree);
    for (let number = 2; name === undefined; number++) {
      const numbered = `${last}${separator(last)}${number}`;
      if (isFree(numbered)) name = numbered;
    }
    this.#taken.add(name);
    return name;
  }
}

/** A number after a digit would be read as a part of it. */
const separator = (name: string): string => (/\d$/.test(name) ? "_" : "");

/**
 * What a program calls something: `Web-Old` is `webOld`.
 *
 * @param noun what it is, such as `zone`, where its name alone is no identifier: `2nd zone` is `zone2ndZone`
 */
export function identifier(name: string, noun: string): string {
  const words = name.normalize("NFC").match(/[\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}]+/gu) ?? [];
  const first = /^\p{Lu}+\p{N}*$/u.test(words[0] ?? "") ? words[0]?.toLowerCase() : uncapitalized(words[0] ?? "");
  const joined = [first, ...words.slice(1).map(capitalized)].join("");
  if (joined === "") return noun;
  if (!/^[\p{L}\p{Nl}]/u.test(joined)) return `${noun}${capitalized(joined)}`;
  return RESERVED.has(joined.toLowerCase()) ? `${joined}${capitalized(noun)}` : joined;
}

export const capitalized = (word: string): string => word.replace(/^./u, (first) => first.toUpperCase());

const uncapitalized = (word: string): string => word.replace(/^./u, (first) => first.toLowerCase());
