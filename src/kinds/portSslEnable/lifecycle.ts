import { BrightDataError } from "../../base/errors";
import { action } from "../../lifecycle/action";
import { lossOf, settleSignal } from "../../lifecycle/settle";
import type { ConfiguredPort } from "../../manager/portFields";
import { portInWords } from "../proxyPort/properties";
import { portSslEnable } from "./declaration";

export const portSslEnableLifecycle = action(portSslEnable, {
  announce: ({ port }) =>
    `the update will turn on SSL analyzing on ${port === undefined ? "all ports that there are then" : portInWords(port)}.`,

  async perform({ port }, step) {
    const { context, deadline } = step;
    const { ports, ssl } = context.manager;
    // The drop-in port, which has no type, is left as it is.
    const isMeant = (each: ConfiguredPort) => (port === undefined ? each.proxyType !== undefined : each.port === port);
    const before = (await ports.list(deadline)).filter(isMeant);
    const silent = before.filter(isUnanswerable).map((record) => record.port);
    if (silent.length > 0) {
      throw new BrightDataError(
        `SSL analyzing was not turned on: the Proxy Manager would never answer, because \`debug\` or \`lpmAuth\` of port ${silent.join(", ")} begins with "default". Give it the value itself, such as "none".`,
      );
    }
    const lost = await lossOf(ssl.enable(port ?? "all", deadline), step).finally(() => context.ports.forget());
    const now = new Map((await ports.list({ signal: settleSignal() })).map((record) => [record.port, record]));
    // Where nobody has said that it is done, a port that is not listed proves nothing.
    const isLeft = (number: number) => (now.has(number) ? now.get(number)?.ssl !== true : lost !== undefined);
    const left = (port === undefined ? before.map((record) => record.port) : [port]).filter(isLeft);
    if (left.length > 0) {
      const words = `The Proxy Manager was to turn SSL analyzing on, and it is still off on port ${left.join(", ")}.`;
      throw lost ?? new BrightDataError(words);
    }
    return { id: String(port ?? "all"), outputs: {} };
  },
});

/** Changing a port that goes by a setting makes the manager fail, and of that it tells nobody. */
const isUnanswerable = ({ ssl, debug, lpmAuth }: ConfiguredPort): boolean =>
  ssl !== true && [debug, lpmAuth].some((value) => String(value).startsWith("default"));
