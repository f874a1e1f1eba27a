import type { Template } from "./template";

/** What stands in each template, by its files, and what it is where the program uses the plugin. */
const EDITS: Readonly<Record<string, readonly [from: RegExp, to: string]>> = {
  "index.ts": [/(?<= from "pulumi-brightdata)(?=";\n)/, "/native"],
  // There may be no CLI yet, as where an image is built, and npm runs no `postinstall` where packages are named.
  "package.json": [
    /(?<="scripts": \{\n)/,
    `    "postinstall": "pulumi-brightdata plugin install || exit 0",
    "prelocal": "pulumi-brightdata plugin install --check || pulumi-brightdata plugin install",
`,
  ],
  // Pipelines run no scripts when they install.
  ".github/actions/setup/action.yml": [
    /uses: pulumi\/actions@.*\n(?: {6}.*\n)+/,
    "$&    - run: npx pulumi-brightdata plugin install\n      shell: bash\n",
  ],
  ".gitlab-ci.yml": [/(?<=- &install npm ci .*)$/m, " && npx pulumi-brightdata plugin install"],
};

/** A template whose program uses the plugin, and which registers that wherever it is installed. */
export function nativeTemplate(template: Template): Template {
  const files = Object.entries(template.files).map(([path, text]) => {
    const edit = EDITS[path];
    return [path, edit === undefined ? text : text.replace(...edit)];
  });
  return { ...template, files: Object.fromEntries(files) };
}
