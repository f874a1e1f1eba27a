/** The name of a resource, as a program gives it, in its URN. */
export const nameInUrn = (urn: unknown): string => String(urn).split("::").slice(3).join("::");
