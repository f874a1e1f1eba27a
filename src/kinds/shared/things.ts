import type { AllowlistName } from "../../manager/allowlists";

/** What things are called that resources claim: by what they are at their service, whatever the kind that manages them. */
export const zoneThing = (name: string): string => `zone ${name}`;
export const ipThing = (zone: string, ip: string): string => `ip ${ip} of zone ${zone}`;
export const listThing = (zone: string, list: string): string => `${list} of zone ${zone}`;
export const entryThing = (zone: string, list: string, entry: string): string => `${entry} in ${list} of zone ${zone}`;
export const passwordThing = (zone: string, digest: string): string => `password ${digest} of zone ${zone}`;
export const portThing = (port: number | string): string => `port ${port}`;
export const banThing = (ban: string, port: number): string => `ban of ${ban} on port ${port}`;
export const allowedThing = (list: AllowlistName, ip: string): string => `${list}-list ${ip}`;
export const settingThing = (name: string): string => `setting ${name}`;
export const userThing = (email: string): string => `user ${email.toLowerCase()}`;
