import { kind } from "../../declaration/kind";
import { count, flag, list, map, object, text } from "../../declaration/property";
import { portDescription, readable } from "../../model/portFields";
import { fieldsOfSet, portSettings } from "../../model/portSettings";
import { proxyPort } from "../proxyPort/declaration";

const configured = object(
  {
    listenPort: count({ says: "Number of the port that clients connect to.", required: true, isId: true }),
    ...readable,
    port: count({ says: "Number of the port.", required: true, isId: true }),
    adopt: flag({ says: "Whether the port was to be taken over if it was there already." }),
  },
  {
    named: "PortOfSet",
    extends: portDescription,
    says: "A port of a set: its declared settings, with the values that the manager has, without those that hold credentials.",
  },
);

const shared = object(
  { ...readable, adopt: configured.properties.adopt },
  {
    named: "SharedPortSettings",
    extends: portDescription,
    says: "Settings that all ports of a set share, without those that hold credentials.",
  },
);

export const proxyPorts = kind("ProxyPorts", {
  says: "A set of ports of the local Proxy Manager, which is one resource: hundreds of ports take a fraction of the time that as many `ProxyPort` resources take. The set is updated port by port, and only the ports that differ are touched.",
  brief: "a set of ports of the local Proxy Manager",
  service: "manager",
  id: {
    says: "Text that stands for the set.",
    example: "z_PB64R0-594fcd9d",
    lookUp: { says: "Numbers of the ports.", example: "24000-24049,24100" },
  },
  endpoints: proxyPort.endpoints,
  timeouts: { create: 600, read: 120, update: 600, delete: 600 },
  inputs: {
    ports: map(portSettings, {
      says: "The ports, each under a key that the program chooses. The key is the port's name in previews, messages and outputs; the manager does not see it.",
      outputSays: "The ports by their keys.",
      required: true,
      output: map(configured, { shared: "defaults" }),
      expected: 'expected an object with the settings of a port for each key, such as { "us-1": { port: 24000 } }.',
      example: { "us-1": { port: 24_000, country: "us" }, "de-1": { port: 24_001, country: "de" } },
    }),
    defaults: {
      ...portSettings,
      says: "Settings that all ports share, unless they have their own. All settings but `port` are possible.",
      outputSays: "Settings that all ports share, without those that hold credentials.",
      output: shared,
      example: { zone: "web_scraping", rotateSession: true },
    },
  },
  outputs: {
    secrets: object(
      { defaults: object(fieldsOfSet, {}), ports: map(object(fieldsOfSet, {}), {}) },
      { hidden: true, secret: true },
    ),
    marks: map({ is: "text" }, { hidden: true }),
    bears: map({ is: "text" }, { hidden: true }),
    marked: flag({ hidden: true }),
    unmarked: list(text({}), { hidden: true }),
    unsettled: map(list(text({}), {}), { hidden: true }),
  },
  adopts:
    "Takes over ports of those numbers that are configured already, instead of failing. Destroying the resource then deletes them.",
  announced: ["ports.*.port", "ports.*.multiply"],
  namedBy: "always",
  saysName: true,
  fails:
    "a number is in use (see {@link ProxyPortsArgs.adopt}), when the manager does not know a zone, or when it is not logged in. The other ports are created all the same, and the next update goes on with what is left",
  example: `const fleet = new brightdata.ProxyPorts("fleet", {
  defaults: { zone: zone.name, rotateSession: true },
  ports: { "us-1": { port: 24000, country: "us" }, "de-1": { port: 24001, country: "de" } },
});
export const url = pulumi.interpolate\`http://127.0.0.1:\${fleet.ports["us-1"]?.listenPort}\`;`,
});
