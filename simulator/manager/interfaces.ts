import { isIPv4 } from "node:net";
import { networkInterfaces } from "node:os";

/** Where the manager listens for a port: at the address, at that of the interface, or everywhere where it knows none of that name. */
export function addressOf(iface: unknown): string {
  const name = String(iface);
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return name;
  const own = Object.entries(networkInterfaces()).find(([known]) => known === name)?.[1] ?? [];
  return own.find(({ family }) => family === "IPv4")?.address ?? "0.0.0.0";
}

/** Why it cannot listen there, in the system's words. */
export function refusalOf(address: string, port: number): string | undefined {
  if (!isIPv4(address)) return `getaddrinfo ENOTFOUND ${address}`;
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map((own) => own.address));
  const isOwn = address === "0.0.0.0" || address.startsWith("127.") || all.includes(address);
  return isOwn ? undefined : `bind EADDRNOTAVAIL ${address}:${port}`;
}

/** Whether what listens there is reached by the simulator's own address. */
export const isReached = (address: string, host: string): boolean => address === "0.0.0.0" || address === host;
