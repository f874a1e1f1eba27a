import { grouped } from "../../base/counted";
import {
  atMost,
  code,
  codeCell,
  cut,
  details,
  FEWEST,
  fits,
  fitting,
  paragraphs,
  table,
  verbatim,
  words,
} from "./markdown";
import { inDollars, type Money, type Spent } from "./money";
import { CHANGING, isChanging, type PreviewStep, type UpdatePlan } from "./plan";

export interface Review {
  /** Project and stack: `proxies/production`. */
  readonly stack: string;
  readonly plan: UpdatePlan;
  readonly money: Money;
  readonly spent: readonly Spent[];
  readonly succeeded: boolean;
  /** What else the CLI says of a preview that failed. */
  readonly failure: string;
  readonly commit: string | undefined;
}

export function commentOn(review: Review): string {
  const text = fitting((most) => written(review, most));
  return fits(text) ? text : fitting((most) => written(review, FEWEST, most));
}

/** The same without anything cut, however long: for the log of the job. */
export const wholeCommentOn = (review: Review): string => written(review, Number.POSITIVE_INFINITY);

/** @param mostLosses of the rows, as many that delete or replace are written whatever the rest */
function written(review: Review, most: number, mostLosses = Number.POSITIVE_INFINITY): string {
  const { plan, commit } = review;
  const text = paragraphs(
    `### ${code(review.stack)}: ${verdict(review)}`,
    errorsOf(review, most),
    moneyOf(review, most),
    policiesOf(plan, most),
    messagesOf(plan, most),
    changesOf(plan.steps.filter(isChanging), most, mostLosses),
    commit === undefined ? "" : `Commit ${commit}.`,
  );
  return `${text}\n`;
}

function countsOf(steps: readonly PreviewStep[]): string {
  const counts = CHANGING.map((changing) => {
    const { length } = steps.filter(({ operation }) => operation === changing);
    return length === 0 ? "" : `${grouped(length)} to ${changing}`;
  });
  return counts.filter((words) => words !== "").join(", ");
}

function verdict({ plan, succeeded }: Review): string {
  if (succeeded) return countsOf(plan.steps) || "no changes";
  return isStopped(plan) ? "stopped by policies" : "the preview failed";
}

const isStopped = ({ violations }: UpdatePlan): boolean => violations.some(({ isMandatory }) => isMandatory);

function errorsOf({ plan, succeeded, failure }: Review, most: number): string {
  if (plan.errors.length > 0) return verbatim(atMost(plan.errors.map(cut), most, "errors"));
  return succeeded || isStopped(plan) ? "" : verbatim([cut(failure)]);
}

function moneyOf({ money, spent }: Review, most: number): string {
  const { now, after, unpriced, bought } = money;
  const purchases = bought.map(({ of, count, piece, monthly, isAdopted }) => {
    const price = monthly === undefined ? "no price configured" : `${inDollars(monthly)} a month`;
    return `- ${count ?? "some"} × ${piece ?? "IP"} for ${code(of)}: ${price}${isAdopted ? ", unless it is there already" : ""}`;
  });
  // Where nothing has a price, the sums are no costs.
  const hasIps = now + after > 0;
  const rows = [
    ...(hasIps ? [["IPs and gIPs a month, at your prices", inDollars(now), inDollars(after)]] : []),
    ...spent.map(({ account, dollars }) => [
      `The ${words(account)} this month so far`,
      dollars === undefined ? "not readable" : inDollars(dollars),
      "",
    ]),
  ];
  const open =
    unpriced.length === 0 ? "" : `Without a price: ${atMost(unpriced.map(code), most, "resources").join(", ")}.`;
  const list =
    purchases.length === 0 ? "" : `Bought by this update:\n\n${atMost(purchases, most, "purchases").join("\n")}`;
  const sums = rows.length === 0 ? "" : table(["", "now:", "after:"], rows);
  const parts = paragraphs(sums, open, list);
  return parts === "" ? "" : paragraphs("**Money**", parts);
}

function policiesOf({ violations, packs }: UpdatePlan, most: number): string {
  if (violations.length === 0) {
    return packs.length === 0 ? "" : `**Policies**: passed ${packs.map(code).join(", ")}.`;
  }
  const inOrder = violations.toSorted((left, right) => Number(right.isMandatory) - Number(left.isMandatory));
  const rows = inOrder.map(({ policy, isMandatory, resource, message }) => [
    isMandatory ? "**mandatory**" : "advisory",
    codeCell(policy),
    resource === undefined ? "" : codeCell(resource),
    words(cut(message)),
  ]);
  return `**Policies**\n\n${table(["level", "policy", "resource", "what it says"], rows, most, "violations")}`;
}

export const messagesOf = ({ messages }: Pick<UpdatePlan, "messages">, most: number): string =>
  messages.length === 0 ? "" : `**Messages**\n\n${verbatim(atMost(messages.map(cut), most, "messages"))}`;

/** What cannot be undone is shown first, and whatever else there is. */
const isLoss = (operation: string | undefined): boolean => operation === "delete" || operation === "replace";

function changesOf(all: readonly PreviewStep[], most: number, mostLosses: number): string {
  if (all.length === 0) return "";
  const steps = all.toSorted((one, other) => Number(isLoss(other.operation)) - Number(isLoss(one.operation)));
  const rows = steps.flatMap(({ operation, kind, name, changes }) => {
    const head = [operation, codeCell(`${kind} ${name}`)];
    if (changes.length === 0 || operation === "delete") return [[...head, "", "", ""]];
    return changes.map(({ path, before, after }, index) => [
      ...(index === 0 ? head : ["", ""]),
      codeCell(path),
      before === undefined ? "" : codeCell(before),
      after === undefined ? "" : codeCell(after),
    ]);
  });
  const shown = rows.filter(([operation], index) => index < most || (index < mostLosses && isLoss(operation)));
  const left = rows.length - shown.length;
  const more = left > 0 ? `\n\n… and ${grouped(left)} more rows, in the log of the job.` : "";
  const lost =
    steps.filter(({ operation }) => isLoss(operation)).length - shown.filter(([operation]) => isLoss(operation)).length;
  const losses = lost > 0 ? ` Deletions and replacements among them: ${grouped(lost)}.` : "";
  const body = table(["", "resource", "property", "before", "after"], shown);
  return details(`Changes: ${countsOf(steps)}`, `${body}${more}${losses}`);
}
