import { kind } from "../../declaration/kind";
import { flag, text } from "../../declaration/property";
import { allowedAddress, everybodyOnPurpose } from "../../model/allowedAddress";

export const whitelistIp = kind("WhitelistIp", {
  says: "An address that may use the local Proxy Manager, or its ports. The manager's own machine may always use everything.",
  brief: "an address that may use the Proxy Manager, or its ports",
  service: "manager",
  id: { says: "The list and the address.", example: "ui/203.0.113.7", pattern: /^(ui|ports)\/[^/]+(\/\d+)?$/ },
  endpoints: [
    "GET /api/settings",
    "PUT /api/whitelist_ip",
    "DELETE /api/whitelist_ip",
    "PUT /api/wip",
    "DELETE /api/wip",
    "PUT /api/settings",
    "GET /api/config",
    "GET /api/gen_token",
  ],
  timeouts: 60,
  inputs: {
    ip: allowedAddress({
      says: "IPv4 address or CIDR block of four octets. A block is identified by its first address: `10.20.30.77/16` is `10.20.0.0/16`.",
      required: true,
      replaces: true,
      compares: "address",
      example: "203.0.113.7",
      outputSays: "The address or block in its canonical form.",
    }),
    list: text({
      says: "List that the address is on: `ui` (who may use the manager's UI and API, and every port) or `ports` (who may use every port). An address cannot be on both.",
      oneOf: ["ui", "ports"],
      expected: 'expected "ui" (who may use the manager, and every port) or "ports" (who may use every port).',
      default: "ui",
      known: true,
      replaces: true,
      compares: "lenient",
    }),
    allowAny: flag({ says: "Must be `true` for `0.0.0.0/0`, which lets the whole internet in.", default: false }),
    apiKey: text({
      says: "Key of the manager's API, which a change of the `ports` list requires. A key is generated only if the manager has none.",
      must: [{ pattern: /^[\x21-\x7e]+$/, expected: "expected a key without blanks." }],
      secret: true,
      defaultSays: "the configured key, otherwise the manager's current one",
      onChange: "recorded",
      outputSays: "The key that was declared, not one that was read from the manager.",
    }),
  },
  outputs: {
    firstAddress: text({
      says: "First address of a block, which a manager before 1.643 may have put on the list instead of the block. The next update corrects that.",
      isVolatile: true,
    }),
  },
  adopts: "Takes over an entry that already exists, instead of failing. Destroying the resource then removes it.",
  rules: [everybodyOnPurpose("ip")],
  announced: ["ip", "list"],
  namedBy: "always",
  fails: "the address is on a list already (see {@link WhitelistIpArgs.adopt})",
  example: `new brightdata.WhitelistIp("office", { ip: "203.0.113.0/28", list: "ports" });`,
});
