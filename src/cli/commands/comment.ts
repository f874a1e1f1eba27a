import type { Settings } from "../../settings/settings";
import { sources, titleOf as sourceTitle } from "../account/source";
import { commentOn, type Review, wholeCommentOn } from "../pipeline/comment";
import type { Forge } from "../pipeline/forge";
import { moneyOf, type Spent } from "../pipeline/money";
import { postComment } from "../pipeline/post";
import { numberIn } from "../pipeline/variables";
import { monthUntil } from "../report/period";
import { type Command, FAILED, Misuse, type Options } from "./command";
import { forgeFrom, reportOn, stackFrom, summarise, TO, titleOf } from "./forge";
import { preview, setupOf } from "./preview";
import { projectName } from "./stack";

const OPTIONS = {
  stack: { value: "name", says: "the stack" },
  to: TO,
  number: { value: "number", says: "the pull request; default: that of the job" },
  cost: { says: "read what the accounts cost this month (default); or --no-cost" },
  json: { says: "print it as JSON" },
} as const satisfies Options;

export const comment: Command<typeof OPTIONS> = {
  name: "comment",
  usage: "--stack <name> [options] [-- <options of pulumi preview>]",
  says: "Runs `pulumi preview`, and writes what it says as one comment on the pull request.",
  options: OPTIONS,
  notes: `For GitHub, the environment has GITHUB_TOKEN; for GitLab, GITLAB_TOKEN with the scope \`api\`.

Exit status: 0 done, 1 the preview or a mandatory policy failed, 2 called wrongly.
`,

  async run({ options, positionals }) {
    const { cost = true, json = false } = options;
    const stack = stackFrom(options.stack);
    const forge = forgeFrom(options.to);
    const number = numberFrom(options.number, forge);
    const at = new Date();
    const { settings, hide } = setupOf(stack);
    const { plan, status, failure } = await preview(stack, positionals, hide);
    const review: Review = {
      stack: titleOf(projectName(), stack),
      plan,
      money: moneyOf(plan, settings.prices),
      spent: cost ? await spentSince(settings, at) : [],
      succeeded: status === 0,
      failure,
      commit: forge?.commit,
    };
    const body = commentOn(review);
    process.stdout.write(json ? `${jsonOf(review)}\n` : forge === undefined ? body : "");
    if (forge !== undefined && number !== undefined) {
      summarise(body);
      const whole = wholeCommentOn(review);
      const posting = postComment(forge, number, { use: "comment", stack: review.stack, at }, body);
      const posted = await posting.catch((error: unknown) => {
        process.stderr.write(whole);
        throw error;
      });
      process.stderr.write(`${reportOn(posted)}${whole === body ? "" : whole}`);
    }
    return status === 0 ? 0 : FAILED;
  },
};

function numberFrom(text: string | undefined, forge: Forge | undefined): number | undefined {
  const number = text === undefined ? forge?.number : numberIn(text);
  if (text !== undefined && number === undefined)
    throw new Misuse(`--number takes the number of a pull request, not "${text}".`);
  if (text !== undefined && forge === undefined) throw new Misuse("--number needs --to: where is the pull request?");
  if (forge !== undefined && number === undefined)
    throw new Misuse("Which pull request? This job is about none: --number is missing.");
  return number;
}

/** What the accounts have cost this month; one that does not answer does not keep the comment back. */
const spentSince = (settings: Settings, now: Date): Promise<Spent[]> =>
  Promise.all(
    sources(settings, { managers: [] })
      .filter(({ service }) => service === "remote")
      .map(async (source) => {
        const cost = source.context.remote.usage.accountCost(monthUntil(now));
        const dollars = await cost.then(
          ({ total }) => total,
          (error: Error) => void process.stderr.write(`${error.message}\n`),
        );
        return { account: sourceTitle(source), dollars: dollars ?? undefined };
      }),
  );

function jsonOf({ plan, ...review }: Review): string {
  const steps = plan.steps.map(({ operation, kind, name, changes }) => ({ operation, kind, name, changes }));
  return JSON.stringify({ ...review, plan: { ...plan, steps } }, undefined, 2);
}
