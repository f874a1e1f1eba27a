import { CONNECTION, type Service } from "../declaration/connection";
import type { JsonObject } from "../json";
import { propertiesFromEngine } from "./values";

/**
 * The ids of a kind, which say the connection: `fra-1/24000` is port 24000 of the Proxy Manager `fra-1`, and `24000` that of the
 * one without a name. Lifecycles know only what stands behind the slash.
 */
export class Identity {
  /** The input that names the connection. */
  readonly argument: "account" | "manager";
  readonly #local: RegExp;

  /** @param local what an id looks like without the name of a connection */
  constructor(service: Service, local: RegExp) {
    this.argument = CONNECTION[service];
    this.#local = local;
  }

  /** The id without the name of the connection. */
  local(id: string): string {
    return this.#split(id)[1];
  }

  /** The id with the name of the connection. */
  full(local: string, name: string | undefined): string {
    return name === undefined ? local : `${name}/${local}`;
  }

  /**
   * The name of a resource's connection, `undefined` for the one without a name. Once there is a state it says so, whatever the
   * id: a connection can get another name.
   */
  nameIn(props: JsonObject, id?: string): string | undefined {
    const given = props[this.argument];
    if (typeof given === "string") return given;
    const isLookUp = id !== undefined && Object.keys(propertiesFromEngine(props)).length === 0;
    return isLookUp ? this.#split(id)[0] : undefined;
  }

  #split(id: string): [name: string | undefined, local: string] {
    const slash = id.indexOf("/");
    const rest = id.slice(slash + 1);
    return slash > 0 && !this.#local.test(id) && this.#local.test(rest) ? [id.slice(0, slash), rest] : [undefined, id];
  }
}
