import type { Kind } from "../../src/declaration/kind.ts";
import { inCode } from "./resource.mts";

/** The page of a kind that has none yet: what does not follow from the declaration is left to write. */
export const newPage = ({ name, says, example, id, endpoints, fails }: Kind): string => `# ${name}

${says}

## Example usage

\`\`\`ts
import * as brightdata from "pulumi-brightdata";

${example}
\`\`\`

## Inputs

${place("inputs")}

## Outputs

All inputs, and:

${place("outputs")}

## Import

An [import file](adopting.md#with-an-import-file) needs the type \`pulumi-nodejs:dynamic/brightdata:${name}\` and an \`id\` such as
\`${(id.lookUp ?? id).example}\`.

## Behavior

It sends ${inCode(endpoints)}.

TODO: what happens, and what it costs.

## Errors

${fails === "" ? "TODO: when an update fails, with the messages." : `An update fails when ${fails}.`}
`;

const place = (marker: string): string => `<!-- ${marker} -->\n\n<!-- /${marker} -->`;
