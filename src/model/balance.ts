import { number, type ValuesOf } from "../declaration/property";

/** Money of the account. Which figures there are besides the balance depends on the account. */
export const balance = {
  balance: number({ says: "The balance.", unit: "US dollars", required: true }),
  pendingBalance: number({ says: "What is yet to be charged.", unit: "US dollars" }),
  pendingCosts: number({ says: "Costs that are yet to be charged.", unit: "US dollars" }),
  credit: number({ says: "Credit.", unit: "US dollars" }),
  prepayment: number({ says: "What has been paid in advance.", unit: "US dollars" }),
} as const;

export type Balance = ValuesOf<typeof balance>;
