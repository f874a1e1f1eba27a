import { type Declared, object, UNKNOWN } from "./declared";

/** A port: a resource, or one of a set. */
export interface Port {
  readonly resource: Declared;
  /** Where it stands in the resource, before a property's name: empty, or such as `ports["us-1"].`. */
  readonly at: string;
  /** A property of it, which it may take from the set's defaults. */
  readonly setting: (name: string) => unknown;
}

export function portsOf(resource: Declared): readonly Port[] {
  const { kind, props } = resource;
  if (kind === "ProxyPort") return [{ resource, at: "", setting: (name) => props[name] }];
  if (kind !== "ProxyPorts") return [];
  return Object.entries(object(props.ports)).map(([key, port]) => ({
    resource,
    at: `ports[${JSON.stringify(key)}].`,
    setting: (name) => settingIn(port, name) ?? settingIn(props.defaults, name),
  }));
}

const settingIn = (settings: unknown, name: string): unknown =>
  settings === UNKNOWN ? UNKNOWN : object(settings)[name];
