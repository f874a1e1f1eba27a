import { BrightDataError } from "../../base/errors";
import { action } from "../../lifecycle/action";
import { lossOf, settleSignal } from "../../lifecycle/settle";
import { portInWords } from "../proxyPort/properties";
import { portSslEnable } from "./declaration";

export const portSslEnableLifecycle = action(portSslEnable, {
  announce: ({ port }) =>
    `the update will turn on SSL analyzing on ${port === undefined ? "all ports that there are then" : portInWords(port)}.`,

  async perform({ port }, run) {
    const { context, deadline } = run;
    const { ports, ssl } = context.manager;
    const before = await ports.list(deadline);
    const lost = await lossOf(ssl.enable(port ?? "all", deadline), run).finally(() => context.ports.forget());
    // The drop-in port, which has no type, is left as it is.
    const changeable = before.filter(({ proxyType }) => proxyType !== undefined).map((record) => Number(record.port));
    const now = new Map((await ports.list({ signal: settleSignal() })).map((record) => [Number(record.port), record]));
    // Where nobody has said that it is done, a port that is not listed proves nothing.
    const isLeft = (number: number) => (now.has(number) ? now.get(number)?.ssl !== true : lost !== undefined);
    const left = (port === undefined ? changeable : [port]).filter(isLeft);
    if (left.length > 0) {
      const words = `The Proxy Manager was to turn SSL analyzing on, and it is still off on port ${left.join(", ")}.`;
      throw lost ?? new BrightDataError(words);
    }
    return { id: String(port ?? "all"), outputs: {} };
  },
});
