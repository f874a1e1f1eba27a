import { ArgumentError } from "../base/errors";

/**
 * What a provider finds in the place of what another one has had; `alike`: nothing tells whether it is the same; `unmarked`: no
 * mark does, nor anything else; `nowhere`: it has no connection of the name that the state has.
 */
export type Finding = "it" | "nothing" | "another" | "alike" | "unmarked" | "nowhere";

/** What was to be done with a resource when its move was found out. */
export type MovedBy = "read" | "update" | "delete";

/**
 * A resource that has another provider now, which leads to another service. The engine asks nobody whether a resource can go
 * from one provider to another: it takes the state over as it is.
 */
export class MoveError extends ArgumentError {
  /** @param thing kind and id */
  constructor(
    thing: string,
    from: string | undefined,
    to: string | undefined,
    found: Exclude<Finding, "it">,
    operation: MovedBy,
  ) {
    const former = inWords(from);
    const isSameName = from === to && to !== undefined;
    const current = isSameName ? `another provider ${JSON.stringify(to)}` : inWords(to);
    const remedy = isSameName ? giveUrlBack(former, operation) : remedyFor(operation, former, current, found);
    super(`${thing} has moved from ${former} to ${current}, where ${FOUND[found]}. Nothing was done. ${remedy}`);
  }
}

const FOUND = {
  nothing: "there is no such thing",
  another: "there is another one, or it has changed",
  alike: "there is one like it, but nothing shows that it is the same one",
  unmarked: "there is one like it, but nothing shows that it is the same one",
  nowhere: "its connection is not configured",
} as const;

// A deletion that is refused has already brought the new provider into the state: only the program brings the former one back.
const AFTERWARDS = {
  read: " in the program, and run `pulumi refresh --run-program`.",
  delete: " in the program, run `pulumi up`, and delete it then.",
  update: ", and declare the new service as a provider with another name.",
} as const;

/** A provider that leads elsewhere by now cannot delete what it has left, and the service may be there no more. */
const giveUrlBack = (former: string, operation: MovedBy): string =>
  `Give ${former} its former URL again${AFTERWARDS[operation]} If the former service is gone, run \`pulumi state delete <its URN>\`.`;

function remedyFor(operation: MovedBy, former: string, current: string, found: Finding): string {
  if (operation !== "update") return `Give it ${former} again${AFTERWARDS[operation]}`;
  const url = `with ${former} at the same URL as ${current}`;
  const before: Partial<Record<Finding, string>> = {
    alike: `run \`pulumi refresh --run-program=false\` before the move, ${url}`,
    unmarked: `run \`pulumi up\` before the move, with \`adopt: true\`, and ${url}`,
  };
  const remedy = before[found] ?? "run `pulumi refresh --run-program=false` before the move";
  return `If both are the same service, ${remedy}. To delete it with ${former} and make it with ${current}, run \`pulumi up --replace <its URN>\`.`;
}

const inWords = (home: string | undefined): string =>
  home === undefined ? "the default provider" : `the provider ${JSON.stringify(home)}`;
