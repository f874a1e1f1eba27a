/**
 * The host of an address, as the manager reads it: it takes more for an address than `URL` does, and leaves an IP address as it is
 * written. @returns nothing where it finds none that can be
 */
export function hostOf(url: string): string | undefined {
  const [, authority = ""] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#%;'"<>`{}|\\^\s]*)/.exec(url) ?? [];
  const [, ipv6] = /^\[(.*)\](?::\d*)?$/.exec(authority) ?? [];
  const host = ipv6 ?? authority.replace(/:.*$/, "");
  return /[[\]]/.test(host) ? undefined : host.toLowerCase();
}

export const pathOf = (url: string): string => /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] || "/";
