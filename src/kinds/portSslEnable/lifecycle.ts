import { BrightDataError } from "../../base/errors";
import { action } from "../../lifecycle/action";
import { isUnsettled, settleSignal } from "../../lifecycle/settle";
import type { PortFields } from "../../manager/portFields";
import { portSslEnable } from "./declaration";

export const portSslEnableLifecycle = action(portSslEnable, {
  announce({ port }) {
    const where =
      port === undefined ? "all ports that there are then" : typeof port === "number" ? `port ${port}` : "a port";
    return `the update will turn on SSL analyzing on ${where}.`;
  },

  async perform({ port }, run) {
    const { manager, ports } = run.context;
    const before = await manager.ports.list({ signal: run.deadline.signal });
    const meant = before.filter((each) => (port === undefined ? isChangeable(each) : numberOf(each) === port));
    const silent = meant.filter(isUnanswerable).map(numberOf);
    if (silent.length > 0) {
      throw new BrightDataError(
        `SSL analyzing was not turned on: the Proxy Manager would never answer, because \`debug\` or \`lpmAuth\` of port ${silent.join(", ")} begins with "default". Give it the value itself, such as "none".`,
      );
    }
    let lost: unknown;
    try {
      await manager.ssl.enable(port ?? "all", { signal: run.deadline.signal });
    } catch (error) {
      if (!isUnsettled(error, run)) throw error;
      lost = error;
    } finally {
      ports.forget();
    }
    const now = await manager.ports.list({ signal: settleSignal() });
    // Where nobody has said that it is done, a port that is not listed proves nothing.
    const isLeft = (port: number) => {
      const record = now.find((each) => numberOf(each) === port);
      return record === undefined ? lost !== undefined : record.ssl !== true;
    };
    const without = (port === undefined ? meant.map(numberOf) : [port]).filter(isLeft);
    if (without.length > 0) {
      throw (
        lost ??
        new BrightDataError(
          `The Proxy Manager was to turn SSL analyzing on, and it is still off on port ${without.join(", ")}.`,
        )
      );
    }
    return { id: String(port ?? "all"), outputs: {} };
  },
});

const numberOf = ({ port }: PortFields): number => Number(port);

/** Changing a port that goes by a setting makes the manager fail, and of that it tells nobody. */
const isUnanswerable = ({ ssl, debug, lpmAuth }: PortFields): boolean =>
  ssl !== true && [debug, lpmAuth].some((value) => String(value).startsWith("default"));

/** The drop-in port, which has no type, is left as it is. */
const isChangeable = ({ proxyType }: PortFields): boolean => proxyType !== undefined;
