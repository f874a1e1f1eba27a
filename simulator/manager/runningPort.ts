import { statSync } from "node:fs";
import type { BanList } from "./banList";
import type { PortRecord } from "./portRecord";
import { PortSession } from "./portSession";
import { Throttle } from "./throttle";

/** A port that listens, with the whole configuration it runs by. */
export class RunningPort {
  /** Every default, setting and secret of the manager, under the port's own fields. */
  config: PortRecord;
  readonly bans: BanList;
  /** The further ports of a record with `multiply`. */
  duplicates: RunningPort[] = [];
  readonly session = new PortSession();
  /** How often the session was refreshed. */
  sessions = 0;
  /** Half deleted: nothing listens any more, but the port is still listed and can be neither deleted nor moved. */
  stuck = false;
  /** Whether its process has died over a folder for a file, or a rule that is none: nothing listens, and what is to delete it never ends. */
  hung = false;
  throttle = new Throttle();
  /** What a request through the port says about its state when next asked; edit it to make a port fail. */
  health = "ok";
  /** The state found when last asked. */
  status: string | undefined;
  statusDetails: object[] | undefined;

  constructor(config: PortRecord, bans: BanList) {
    this.config = config;
    this.bans = bans;
    this.hung = isFatal(config);
    this.session.follow(config, config);
  }

  /** Takes over changed fields, by which its sessions begin anew. */
  update(fields: object): void {
    Object.assign(this.config, fields);
    if (!this.config.throttle) this.throttle.release();
    this.hung ||= isFatal(this.config);
    this.session.follow(fields, this.config);
    this.session.renew(0);
    this.bans.tell();
  }

  renewSession(): void {
    this.sessions++;
    this.session.renew(this.sessions);
  }
}

const isFatal = ({ reverse_lookup_file, rules }: PortRecord): boolean =>
  isFolder(reverse_lookup_file) || (Array.isArray(rules) && rules.includes(null));

/** On the manager's machine, which is this one. */
const isFolder = (path: unknown): boolean =>
  typeof path === "string" && path !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
