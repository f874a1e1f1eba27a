/** What expressions know: `github`, `vars`, `secrets`, `inputs`. */
export type Contexts = Readonly<Record<string, unknown>>;

type Token = { kind: "name" | "text" | "sign"; value: string };

const TOKEN = /\s*(?:(?<text>'(?:[^']|'')*')|(?<name>[\w.-]+)|(?<sign>==|!=|&&|\|\||[!()]))/y;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) throw new Error(`${text}: not an expression of the kind that these workflows use`);
    const [kind, value] = Object.entries(groups).find(([, found]) => found !== undefined) as [Token["kind"], string];
    tokens.push({ kind, value });
  }
  return tokens;
}

/** Evaluates an expression of GitHub Actions, as far as the templates use them: anything else is an error. */
export function evaluate(text: string, contexts: Contexts): unknown {
  const reader = new Reader(text, contexts);
  const value = reader.either();
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  readonly #tokens: Token[];
  readonly #contexts: Contexts;

  constructor(text: string, contexts: Contexts) {
    this.#text = text;
    this.#tokens = tokensOf(text);
    this.#contexts = contexts;
  }

  either(): unknown {
    let value = this.#both();
    while (this.#next("||")) {
      const other = this.#both();
      value = value || other;
    }
    return value;
  }

  end(): void {
    if (this.#tokens.length > 0) throw new Error(`${this.#text}: there is more than one expression`);
  }

  #both(): unknown {
    let value = this.#compared();
    while (this.#next("&&")) {
      const other = this.#compared();
      value = value && other;
    }
    return value;
  }

  #compared(): unknown {
    const left = this.#single();
    if (this.#next("==")) return (left ?? "") === (this.#single() ?? "");
    if (this.#next("!=")) return (left ?? "") !== (this.#single() ?? "");
    return left;
  }

  #single(): unknown {
    if (this.#next("!")) return !this.#single();
    if (this.#next("(")) {
      const value = this.either();
      if (!this.#next(")")) throw new Error(`${this.#text}: a parenthesis is not closed`);
      return value;
    }
    const token = this.#tokens.shift();
    if (token?.kind === "text") return token.value.slice(1, -1).replaceAll("''", "'");
    if (token?.kind !== "name") throw new Error(`${this.#text}: something is missing`);
    return this.#next("(") ? this.#called(token.value) : this.#named(token.value);
  }

  #called(name: string): true {
    if (name === "always" && this.#next(")")) return true;
    throw new Error(`${this.#text}: ${name}() is not known here`);
  }

  #named(name: string): unknown {
    const [context = "", ...path] = name.split(".");
    if (!(context in this.#contexts)) throw new Error(`${this.#text}: the context ${context} is not known here`);
    return path.reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? (value as Contexts)[key] : undefined),
      this.#contexts[context],
    );
  }

  #next(sign: string): boolean {
    const [first] = this.#tokens;
    if (first?.kind !== "sign" || first.value !== sign) return false;
    this.#tokens.shift();
    return true;
  }
}

/** A text with the values of its expressions. */
export const filled = (text: unknown, contexts: Contexts): string =>
  String(text ?? "").replace(/\$\{\{(.*?)\}\}/g, (_, inner: string) => String(evaluate(inner, contexts) ?? ""));
