import type { Refusal } from "../base/errors";

/** What helps where there is no zone of a name that the program declares. */
export const IF_DELETED = "Where somebody has deleted a declared zone, `pulumi up --refresh` makes it again.";

const ACCOUNT = "Check in the control panel whether the account is active and has funds.";

/** What helps against refusals of any call, by the service's words. The first that fits counts. */
const REMEDIES: readonly { says: RegExp; remedy: string }[] = [
  { says: /no ips available/i, remedy: "Ask for fewer, choose another country or city, or try again later." },
  { says: /wrong zone plan/i, remedy: "Name a zone whose plan has IPs of its own." },
  { says: /invalid status/i, remedy: ACCOUNT },
  {
    says: /\bzone\b.*not (found|exist)/is,
    remedy: `Check the zone's name, and that the token is of its account. ${IF_DELETED}`,
  },
];

/** What helps where neither the operation nor the token has to do with a refusal; nothing where only the service knows. */
export function remedyFor({ status, message }: Refusal): string | undefined {
  if (status === 402) return ACCOUNT;
  const known = [400, 404, 422].includes(status) ? REMEDIES.find(({ says }) => says.test(message)) : undefined;
  if (known !== undefined || status !== 422) return known?.remedy;
  return "Check the zone's name and plan, and whether the account is active and has funds.";
}
