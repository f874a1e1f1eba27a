import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { CONNECTION, type Service } from "../declaration/connection";

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

  local(id: string): string {
    return this.#split(id)[1];
  }

  full(local: string, name: string | undefined): string {
    return name === undefined ? local : `${name}/${local}`;
  }

  /**
   * The name of a resource's connection, `undefined` for the one without a name. Once there is a state it says so, whatever the
   * id: a connection can get another name.
   *
   * @param properties without the protocol's own
   */
  nameIn(properties: JsonObject, id?: string): string | undefined {
    const given = properties[this.argument];
    if (typeof given === "string") return given;
    const isLookUp = id !== undefined && Object.keys(properties).length === 0;
    return isLookUp ? this.#split(id)[0] : undefined;
  }

  /**
   * @param properties without the protocol's own
   * @param isRecorded whether the state is the provider's own, which decides: one from an import file may have forgotten the name
   * @param isElsewhere whether the connection of a name certainly leads to another service than the one without a name
   * @throws {ArgumentError} for an id that is none, and for one with the name of a connection whose state has none
   */
  requireOwn(id: unknown, properties: JsonObject, isRecorded: boolean, isElsewhere: (name: string) => boolean): void {
    if (typeof id !== "string" || this.local(id) === "") {
      throw new ArgumentError(`${JSON.stringify(id)} is no id: expected a text that is not empty. Nothing was done.`);
    }
    const [name, local] = this.#split(id);
    if (name === undefined || this.nameIn(properties, id) !== undefined) return;
    if (isRecorded && !isElsewhere(name)) return;
    throw new ArgumentError(
      `The id ${JSON.stringify(id)} says that \`${this.argument}\` is ${JSON.stringify(name)}, and the state has no \`${this.argument}\`, so it is not certain whose it is. Nothing was done. Give the state \`${this.argument}: ${JSON.stringify(name)}\`, in an import file among the inputs, or the id ${JSON.stringify(local)}.`,
    );
  }

  #split(id: string): [name: string | undefined, local: string] {
    const slash = id.indexOf("/");
    const rest = id.slice(slash + 1);
    return slash > 0 && !this.#local.test(id) && this.#local.test(rest) ? [id.slice(0, slash), rest] : [undefined, id];
  }
}
