import { filterKeys, isObject, type JsonObject } from "../../base/json";
import type { Kind } from "../../declaration/kind";
import { bannedIp } from "../../kinds/bannedIp/declaration";
import { managerApiKey } from "../../kinds/managerApiKey/declaration";
import { managerSettings } from "../../kinds/managerSettings/declaration";
import { managerUser } from "../../kinds/managerUser/declaration";
import { proxyPort } from "../../kinds/proxyPort/declaration";
import { proxyPorts } from "../../kinds/proxyPorts/declaration";
import { whitelistIp } from "../../kinds/whitelistIp/declaration";
import { zone } from "../../kinds/zone/declaration";
import { zoneAccess } from "../../kinds/zoneAccess/declaration";
import { zoneIps } from "../../kinds/zoneIps/declaration";

/** What is imported of a kind, and how a program speaks of it. */
interface ImportedKind {
  declaration: Kind;
  /** What its identifiers end with where its name alone is none. */
  noun: string;
  /** Why it is left out unless it is asked for. */
  leftOut?: string;
  /** What it is called in a program, by what it has. */
  name(inputs: JsonObject, id: string): string;
  /**
   * Takes away what another kind declares, or what says nothing. Where nothing is left, there is nothing to declare.
   *
   * @param everyPort the ports that an IP can be banned on
   */
  trim?(inputs: JsonObject, everyPort: () => Promise<number[]>): Promise<JsonObject> | JsonObject | undefined;
}

/** The kinds that are imported, in the order in which a program declares them. */
export const IMPORTED: Readonly<Record<string, ImportedKind>> = {
  Zone: { declaration: zone, noun: "zone", name: (_, id) => id },
  ZoneAccess: {
    declaration: zoneAccess,
    noun: "access",
    name: (_, id) => id,
    trim: (inputs) => without(inputs, (list) => list !== "zone" && /^(any)?$/.test(String(inputs[list]))),
  },
  ZoneIps: {
    declaration: zoneIps,
    noun: "ips",
    name: ({ zone }, id) => (id.endsWith("/gips") ? `${zone}-gips` : String(zone)),
    leftOut: "the zone's plan says how many it has",
  },
  ManagerSettings: {
    declaration: managerSettings,
    noun: "settings",
    name: () => "settings",
    // Addresses are resources of their own.
    trim: (inputs) => {
      const left = without(inputs, (name) => ["wwwWhitelistIps", "whitelistIps", "allowAny"].includes(name));
      return Object.keys(left).length === 0 ? undefined : left;
    },
  },
  ManagerApiKey: { declaration: managerApiKey, noun: "key", name: () => "api-key" },
  ManagerUser: { declaration: managerUser, noun: "user", name: (_, id) => id },
  WhitelistIp: { declaration: whitelistIp, noun: "address", name: (_, id) => id.replaceAll("/", "-") },
  ProxyPort: {
    declaration: proxyPort,
    noun: "port",
    name: ({ internalName }, id) => nameOfPort(internalName) ?? `port-${id}`,
    // When the first period has started says nothing of the next one.
    trim: ({ bwLimit, ...inputs }) =>
      isObject(bwLimit) ? { ...inputs, bwLimit: without(bwLimit, (name) => name === "start") } : inputs,
  },
  ProxyPorts: {
    declaration: proxyPorts,
    noun: "ports",
    name: ({ defaults }) => (isObject(defaults) && typeof defaults.zone === "string" ? defaults.zone : "ports"),
  },
  BannedIp: {
    declaration: bannedIp,
    noun: "ban",
    name: (_, id) => id.replaceAll("/", "-"),
    trim: async ({ ports, ...inputs }, everyPort) => {
      const own = new Set(Array.isArray(ports) ? ports : []);
      if (own.size === 1) return { ...inputs, port: [...own][0] };
      return (await everyPort()).every((port) => own.has(port)) ? inputs : { ...inputs, ports };
    },
  },
};

export const KIND_NAMES: readonly string[] = Object.keys(IMPORTED);

/** The same without the one whose resources are several things. */
export const LISTED_KINDS: readonly string[] = KIND_NAMES.filter((name) => name !== "ProxyPorts");

/** Things of these kinds are there without anybody having made them. */
const THERE_ANYHOW = ["ManagerSettings", "ManagerApiKey"];

/** Those of which a stack should hold all that there is. */
export const MANAGED_KINDS: readonly string[] = LISTED_KINDS.filter(
  (name) => !THERE_ANYHOW.includes(name) && IMPORTED[name]?.leftOut === undefined,
);

export const importedKind = (kind: string): ImportedKind => IMPORTED[kind] as ImportedKind;

/** What an internal name calls a port; nothing where it has no letter or digit. */
export const nameOfPort = (internalName: unknown): string | undefined =>
  typeof internalName === "string" && /[\p{L}\p{N}]/u.test(internalName) ? internalName.trim() : undefined;

const without = (values: JsonObject, isLeftOut: (name: string) => boolean): JsonObject =>
  filterKeys(values, (name) => !isLeftOut(name));
