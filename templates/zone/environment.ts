import * as pulumi from "@pulumi/pulumi";

/** Each stack is an environment: `pr-12` is that of a pull request, and what any other is, its configuration says. */
const stack = pulumi.getStack();

export const isProduction = !/^pr-\d+$/.test(stack) && new pulumi.Config().requireBoolean("production");

/** A fixed name in production; elsewhere with those of the project and the stack: `web`, `web_shop_pr_12`. A zone takes up to 63 characters. */
export const nameOf = (base: string): string =>
  isProduction ? base : [base, pulumi.getProject(), stack].join("_").replace(/\W/g, "_").toLowerCase();

/** For what cannot be made again as it was. */
export const guarded: pulumi.CustomResourceOptions = { protect: isProduction };

/**
 * What an environment is going to buy, unless that is more than it may.
 *
 * @param setting which setting is the limit
 */
export function withinLimit(amount: number, what: string, setting: string): number {
  const limit = new pulumi.Config().requireNumber(setting);
  if (amount <= limit) return amount;
  throw new pulumi.RunError(
    `The stack ${stack} asks for ${amount} ${what}, and may have ${limit}. Ask for fewer, or raise the limit: pulumi config set ${setting} ${amount}`,
  );
}
