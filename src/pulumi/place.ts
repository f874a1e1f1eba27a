import { createHash } from "node:crypto";

/** Where a resource is declared. */
export interface Site {
  organization: string;
  project: string;
  stack: string;
  kind: string;
  name: string;
  /** The URN of its parent, where it has one. */
  parent?: string | undefined;
}

/**
 * Stands for a resource's place in its program, the same in every run: a creation that was cut short is found again by it, and
 * automatic names follow from it.
 */
export function placeAt({ organization, project, stack, kind, name, parent }: Site): string {
  const parts = [organization, project, stack, kind, name, ...(parent === undefined ? [] : [parent])];
  return standIn(JSON.stringify(parts));
}

/** Stands for the same place in a stack of any name and project: `pulumi stack rename` and `pulumi state move` leave it as it is. */
export const spotAt = ({ kind, name, parent = "" }: Pick<Site, "kind" | "name" | "parent">): string =>
  standIn(JSON.stringify([kind, name, parent.replace(/^urn:pulumi:.*?::.*?::/, "")]));

/** Stands for a place where no program tells it, as programs in other languages do not. */
export const placeOfUrn = (urn: string): string => standIn(urn);

const standIn = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, PLACE_LENGTH);

/** 48 bits: it is in the state twice for each dynamic resource. */
const PLACE_LENGTH = 8;
