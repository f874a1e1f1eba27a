import { typeOf } from "../../../src/dynamic/type";

type Props = Record<string, unknown>;

export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const SECRET = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "[secret]",
};

/** The type of a class, or one of the engine itself. */
const typeIn = (kind: string): string => (kind.startsWith("pulumi:") ? kind : typeOf(kind));

const urn = (kind: string, name: string, parent = ""): string =>
  `urn:pulumi:demo::shop::${parent === "" ? "" : `${parent}$`}${typeIn(kind)}::${name}`;

/** The event with which the engine announces a step, as the CLI prints it; the parent is the type of a component. */
export function step(
  op: string,
  kind: string,
  name: string,
  { before, after, parent, outputs = {} }: { before?: Props; after?: Props; parent?: string; outputs?: Props },
) {
  const state = (inputs: Props | undefined) => (inputs === undefined ? null : { inputs: own(kind, inputs), outputs });
  const metadata = event(op, kind, name, state(before), state(after));
  return { resourcePreEvent: { metadata: { ...metadata, urn: urn(kind, name, parent) } } };
}

/** The event with which a refresh has found a resource to be gone. */
export const gone = (kind: string, name: string) => ({
  resOutputsEvent: { metadata: event("refresh", kind, name, { inputs: {}, outputs: {} }, null) },
});

const event = (op: string, kind: string, name: string, old: unknown, next: unknown) => {
  return { op, urn: urn(kind, name), type: typeIn(kind), old, new: next, detailedDiff: null };
};

const own = (kind: string, inputs: Props) => ({
  __key: "AbCd",
  __provider: `this.handler=()=>require('pulumi-brightdata/provider').resource('${kind}')`,
  ...inputs,
});

export const said = (severity: string, message: string) => ({
  diagnosticEvent: { severity, message: `${message}\n\n`, color: "never" },
});

export const violation = (
  enforcementLevel: string,
  policyName: string,
  message: string,
  resource?: [string, string],
) => ({
  policyEvent: {
    ...(resource && { resourceUrn: urn(...resource) }),
    message,
    color: "never",
    policyName,
    policyPackName: "house",
    policyPackVersion: "1.0.0",
    policyPackVersionTag: "1.0.0",
    enforcementLevel,
  },
});

/** Events as the CLI prints them, a line each. */
export const lines = (...events: readonly object[]): string =>
  events.map((each, sequence) => `${JSON.stringify({ sequence, timestamp: 1, ...each })}\n`).join("");
