import { type Declared, object, type Properties } from "./declared";

/** A port: a resource, or one of a set, with what it takes from the set's defaults. */
export interface Port {
  readonly resource: Declared;
  /** Where it stands in the resource, before a property's name: empty, or such as `ports["us-1"].`. */
  readonly at: string;
  readonly settings: Properties;
}

export function portsOf(resource: Declared): readonly Port[] {
  if (resource.kind === "ProxyPort") return [{ resource, at: "", settings: resource.props }];
  if (resource.kind !== "ProxyPorts") return [];
  const defaults = object(resource.props.defaults);
  return Object.entries(object(resource.props.ports)).map(([key, settings]) => ({
    resource,
    at: `ports[${JSON.stringify(key)}].`,
    settings: { ...defaults, ...object(settings) },
  }));
}

/** Which Proxy Manager a resource belongs to. */
export const managerOf = ({ provider, props }: Declared): string => `${provider.urn} ${String(props.manager ?? "")}`;
