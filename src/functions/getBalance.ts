import { remoteLookup } from "../lookups/lookup";
import { balance } from "../model/balance";

export const getBalance = remoteLookup("getBalance", {
  says: "Looks up the account's balance, in US dollars.",
  brief: "the account's balance, in US dollars",
  endpoints: ["GET /customer/balance"],
  gives: "Money of the account, in US dollars. Which figures there are besides the balance depends on the account.",
  result: balance,
  fails: [["PermissionError", "the token may not read the balance"]],
  example: "const { balance } = await brightdata.getBalance();",
  outputExample: `export const dollars = brightdata.getBalanceOutput().balance;`,
  ask: ({ account }, _, options) => account.balance(options),
});
