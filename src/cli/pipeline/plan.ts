import { isObject, type JsonObject } from "../../base/json";
import { propertiesFromEngine } from "../../pulumi/properties";
import { kindIn, nameIn } from "../../pulumi/types";
import { parsed } from "../../settings/values";
import { changesBetween, type PropertyChange } from "./changes";
import { effective } from "./effective";

export const CHANGING = ["create", "update", "replace", "delete", "import"] as const;

/** The engine's words. A replacement has three events, of which one counts. */
const OPERATIONS = [...CHANGING, "read", "same"] as const;

export type OpType = (typeof OPERATIONS)[number];

export interface PreviewStep {
  readonly operation: OpType;
  readonly urn: string;
  /** The class, such as `Zone`; the engine's type where it is not this package's. */
  readonly kind: string;
  readonly name: string;
  readonly changes: readonly PropertyChange[];
  /** The inputs that the state has; absent where there is nothing yet. */
  readonly before?: JsonObject;
  /** The inputs that the program gives; absent where nothing is left. */
  readonly after?: JsonObject;
  /** Whether a refresh has found that it is gone. */
  readonly isGone: boolean;
  /** Whether a refresh has found IPs of it gone: others may have come in their place. */
  readonly isLacking?: boolean;
}

export interface Violation {
  readonly policy: string;
  readonly isMandatory: boolean;
  /** Name of the resource; absent where it is about the stack. */
  readonly resource?: string;
  readonly message: string;
}

/** What an update would do, by the events of a preview. */
export interface UpdatePlan {
  /** All resources, also those to which nothing would happen. */
  readonly steps: readonly PreviewStep[];
  readonly violations: readonly Violation[];
  /** The policy packs that have looked at it, with their versions. */
  readonly packs: readonly string[];
  /** What the package and the program say. */
  readonly messages: readonly string[];
  readonly errors: readonly string[];
}

export const isChanging = ({ operation }: PreviewStep): boolean => CHANGING.some((changing) => changing === operation);

export type Hide = (text: string) => string;

/**
 * Reads the events that `pulumi preview --json` prints, one a line, with PULUMI_ENABLE_STREAMING_JSON_PREVIEW. The CLI's messages for
 * debugging have secrets in clear: they are left out.
 */
export function planFrom(lines: string, hide: Hide): UpdatePlan {
  const events = eventsIn(lines);
  const gone = new Set(events.flatMap(({ resOutputsEvent: done }) => (isGone(done) ? [done.metadata.urn] : [])));
  const said = (severities: readonly string[]) => {
    const all = events.flatMap(({ diagnosticEvent: each }) =>
      isObject(each) && each.ephemeral !== true && severities.includes(String(each.severity))
        ? [hide(plain(each.message))]
        : [],
    );
    return [...new Set(all)].filter((words) => words !== "");
  };
  return {
    steps: events.flatMap(({ resourcePreEvent: planned }) =>
      isResourceful(planned) ? (stepFrom(planned.metadata, gone, hide) ?? []) : [],
    ),
    violations: events.flatMap(({ policyEvent }) => (isObject(policyEvent) ? [violationFrom(policyEvent, hide)] : [])),
    packs: events.flatMap(({ summaryEvent }) => (isObject(summaryEvent) ? packsIn(summaryEvent) : [])),
    messages: said(["info", "info#err", "warning"]),
    // The engine says after any error, and after a mandatory policy, that the preview has failed.
    errors: said(["error"]).filter((words) => words !== "preview failed"),
  };
}

type Resourceful = { metadata: JsonObject };

const isResourceful = (event: unknown): event is Resourceful => isObject(event) && isObject(event.metadata);

const isGone = (event: unknown): event is Resourceful =>
  isResourceful(event) && event.metadata.op === "refresh" && !isObject(event.metadata.new);

/** What else stands among the lines, such as the words of an installation, is no event. */
function eventsIn(lines: string): JsonObject[] {
  return lines
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map(parsed)
    .filter(isObject);
}

function stepFrom(planned: JsonObject, gone: Set<unknown>, hide: Hide): PreviewStep | undefined {
  const { op, urn, type, old, new: next, detailedDiff } = planned;
  const operation = op === "import-replacement" ? "import" : OPERATIONS.find((known) => known === op);
  // The stack is no resource that anybody thinks of.
  if (operation === undefined || type === "pulumi:pulumi:Stack") return undefined;
  const [before, after] = [inputsOf(old), operation === "delete" ? undefined : inputsOf(next)];
  const kind = kindIn(type) ?? String(type);
  const said = isObject(detailedDiff) ? Object.keys(detailedDiff) : [];
  return {
    operation,
    urn: String(urn),
    kind,
    name: nameIn(urn),
    changes: operation === "same" ? [] : changesBetween(before, effective(kind, before, after), hide, said),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    isGone: gone.has(urn),
    ...(isObject(old) && isObject(old.outputs) && "missing" in old.outputs && { isLacking: true }),
  };
}

const inputsOf = (state: unknown): JsonObject | undefined =>
  isObject(state) && isObject(state.inputs) ? propertiesFromEngine(state.inputs) : undefined;

function violationFrom(event: JsonObject, hide: Hide): Violation {
  const { resourceUrn, message, policyName, policyPackName, enforcementLevel } = event;
  return {
    policy: `${policyPackName}/${policyName}`,
    isMandatory: enforcementLevel === "mandatory",
    ...(typeof resourceUrn === "string" && resourceUrn !== "" && { resource: nameIn(resourceUrn) }),
    message: hide(plain(message)),
  };
}

/** The engine writes the key in capitals, and may write it otherwise one day. */
function packsIn({ PolicyPacks, policyPacks = PolicyPacks }: JsonObject): string[] {
  return isObject(policyPacks) ? Object.entries(policyPacks).map(([name, version]) => `${name} ${version}`.trim()) : [];
}

/** Without what colours it. */
const plain = (text: unknown): string =>
  String(text ?? "")
    .replace(/<\{%.*?%\}>/g, "")
    .replace(/^brightdata: /, "")
    .trim();
