/** Words that tell of an outcome that nobody knows, or that something is left. */
const UNKNOWN =
  /\b(may( already)? have|is not known|cannot be told|not certain|in no state|left alone|are kept|is kept)\b/i;

/** What is not left to a person: it is being looked for yet, or a resource has it. */
const IN_HAND =
  /^(?:[\w-]+: )*(?:the update was cancelled, )?(?:looking for|waiting for|finding out)|belongs? to (?:an)?other|\bIf this update is killed\b|which is looked for first/i;

/** What says of a thing that is looked for why it is: not that it is left. */
const ASIDE = /,? (?:which|that) an update that was cut short (?:may have|has|had) \w+/g;

const ADDRESS = /\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?/g;

/** Things that a sentence is about: those that it names, or so many of those whose names begin in a way. */
interface Subject {
  names: string[];
  some: { beginning: string; count: number }[];
}

const of = (...names: string[]): Subject => ({ names, some: [] });

const someOf = (beginning: string, count: unknown): Subject => ({
  names: [],
  some: [{ beginning, count: count === undefined ? 1 : Number(String(count).replaceAll(",", "")) }],
});

/** How things are called in sentences; the first form that fits says what a sentence is about. */
const FORMS: readonly [RegExp, (match: RegExpExecArray, sentence: string) => Subject][] = [
  [
    /zone "?([\w-]+)"? (?:is|are) gone that this resource had|(?:came|come) to zone "?([\w-]+)/,
    ([, one, other], text) => of(...addresses(text).map((ip) => `ip ${one ?? other}/${ip}`)),
  ],
  [/delivery of snapshot/, () => someOf("delivery ", 1)],
  [/delivery "?([\w-]+)"?/, ([, id]) => of(`delivery ${id}`)],
  [/collection of snapshot "?([\w-]+)/, ([, id]) => of(`snapshot ${id}`)],
  [/collection of dataset/, () => someOf("snapshot ", 1)],
  [/([\d,]+) IPs? (?:\w+ )*?(?:to|of) zone "?([\w-]+)/, ([, count, zone]) => someOf(`ip ${zone}/`, count)],
  [/IPs? of zone "?([\w-]+)/, ([, zone]) => someOf(`ip ${zone}/`, Number.POSITIVE_INFINITY)],
  [/a password (?:to|of) zone "?([\w-]+)/, ([, zone]) => someOf(`password ${zone}/`, 1)],
  [/ban of (\S+) on port (\d+)/, ([, ip, port]) => of(`ban ${port}/${ip}`)],
  [
    /ban of (\S+)(?: on| from| for) (?:the )?ports? ([\d, –-]+)/,
    ([, ip, ports = ""]) => of(...numbers(ports).map((port) => `ban ${port}/${ip}`)),
  ],
  [
    /lists of who may use zone "?([\w-]+)"? is still there/,
    ([, zone], text) => of(...addresses(text).flatMap((ip) => [`allowed ${zone}/${ip}`, `denied ${zone}/${ip}`])),
  ],
  [
    /lists of who may use zone "?([\w-]+)/,
    ([, zone]) => ({
      names: [],
      some: ["allowed", "denied"].map((list) => ({ beginning: `${list} ${zone}/`, count: Number.POSITIVE_INFINITY })),
    }),
  ],
  [
    /\b(?:allowed|denied)Ips of zone/,
    (_, text) => ({
      names: [],
      some: [...text.matchAll(/\b(allowed|denied)Ips of zone "?([\w-]+)/g)].map(([, list, zone]) => ({
        beginning: `${list} ${zone}/`,
        count: Number.POSITIVE_INFINITY,
      })),
    }),
  ],
  [/\b(ui|ports)-list (\d\S*)/, (_, text) => of(...listed(text))],
  [/user (\S+@[^\s,]+?)[.,]?(?:\s|$)/, ([, email]) => of(`user ${email}`)],
  [
    /`(ui|ports)` list|(?:ui|ports)\/\d/,
    (_, text) => of(...addresses(text).flatMap((ip) => [`ui ${ip}`, `ports ${ip}`])),
  ],
  [/([\d,]+) proxy ports\b/, ([, count]) => someOf("port ", count)],
  [/\bports?\b[^:]*: ([\d, –-]+)\./, ([, ports = ""]) => of(...numbers(ports).map((port) => `port ${port}`))],
  [
    /\bports? (\d(?:[\d, –-]|ports? (?=\d))*)/i,
    ([, ports = ""]) => of(...numbers(ports).map((port) => `port ${port}`)),
  ],
  [/\b(?:a|the) proxy port\b/, () => someOf("port ", 1)],
  [/settings of the Proxy Manager/, () => someOf("ui ", Number.POSITIVE_INFINITY)],
  [/\b[Zz]one "?([\w-]+)/, ([, zone]) => of(`zone ${zone}`)],
];

const addresses = (text: string): string[] => text.match(ADDRESS) ?? [];

/** Addresses on lists as resources claim them. */
const listed = (text: string): string[] =>
  [...text.matchAll(/\b(ui|ports)-list (\d[\d./]*\d)/g)].map(([, list, ip]) => `${list} ${ip}`);

/** Numbers as they stand in a text, ranges too. */
const numbers = (text: string): number[] =>
  [...text.matchAll(/(\d+)(?:\s*[–-]\s*(\d+))?/g)].flatMap(([, first, last]) =>
    Array.from({ length: Number(last ?? first) - Number(first) + 1 }, (_, index) => Number(first) + index),
  );

/** Sentences, together with those that go on with what they are about. */
const sentencesOf = (text: string): string[] =>
  text.replaceAll(/https?:\/\/\S+/g, "…").split(/(?<=\.)\s+(?!They\b|It\b|As\b|Whether (?:they|as)\b)|\n/);

function subjectOf(sentence: string): Subject | undefined {
  const words = sentence.replaceAll(ASIDE, "").replace(/^brightdata: /, "");
  if (IN_HAND.test(words) || !UNKNOWN.test(words)) return undefined;
  for (const [form, subject] of FORMS) {
    const match = form.exec(words);
    if (match !== null) return subject(match, words);
  }
  return undefined;
}

/**
 * What may be there, and in no state, each thing by its name: because somebody was told so, or because nobody can be asked about
 * it. A sentence that cannot name a thing, as the service names it, excuses as many as it says, of those that it says.
 */
export class Excuses {
  readonly #names = new Set<string>();
  readonly #some = new Map<string, number>();

  /** Whether there is any. */
  get isAny(): boolean {
    return this.#names.size + this.#some.size > 0;
  }

  add(names: Iterable<string>): void {
    for (const name of names) this.#names.add(name);
  }

  /** What a person is told in one run. */
  hear(words: readonly string[]): void {
    for (const subject of words.flatMap(sentencesOf).map(subjectOf)) {
      if (subject === undefined) continue;
      this.add(subject.names);
      for (const { beginning, count } of subject.some)
        this.#some.set(beginning, (this.#some.get(beginning) ?? 0) + count);
    }
  }

  /** Of these names those that nothing excuses. */
  without(names: readonly string[]): string[] {
    const left = new Map(this.#some);
    return names.filter((name) => {
      if (this.#names.has(name)) return false;
      const [beginning, count = 0] = [...left].find(([each, count]) => count > 0 && name.startsWith(each)) ?? [];
      if (beginning === undefined) return true;
      left.set(beginning, count - 1);
      return false;
    });
  }
}
