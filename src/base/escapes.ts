/** JSON in which some of the characters are written by their numbers. */
export const withEscapes = (json: string, characters: RegExp): string =>
  json.replace(characters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A text in double quotes, which YAML and JSON read alike, in one line and in ASCII where it matters. */
export const yamlText = (text: string): string =>
  withEscapes(JSON.stringify(text), /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g);

/** Texts by their names, as YAML has what stands below a key; each in a line that begins with the indent. */
export function yamlMap(texts: Readonly<Record<string, string>>, indent: string): string {
  const lines = Object.entries(texts).map(([name, text]) => `\n${indent}${yamlText(name)}: ${yamlText(text)}`);
  return lines.length === 0 ? " {}" : lines.join("");
}
