import { isFilled, list } from "../declared";
import { option, policy, WORDS } from "../policy";
import { titleOf, zonesIn } from "../zones";

export const zoneAccess = policy({
  name: "zone-access",
  title: "Every zone has access rules",
  says: "A zone has a `ZoneAccess` in the stack that says who may use it; `any` says nothing. Zones that are switched off are exempt.",
  level: "mandatory",
  severity: "high",
  remedy: "Declare a `ZoneAccess` with `allowedIps` for the zone.",
  options: {
    lists: option("Lists of which the zone needs one.", WORDS, ["allowedIps"] as readonly string[]),
  },
  ofStack(resources, { lists }) {
    const names = (value: unknown) => isFilled(value) && !list(value).includes("any");
    return zonesIn(resources).flatMap((zone) => {
      const { props, urn } = zone.zone;
      const isRuled = [...zone.parts, ...zone.likelyParts].some(
        (part) => part.kind === "ZoneAccess" && lists.some((name) => names(part.props[name])),
      );
      if (props.disabled === true || isRuled) return [];
      const wanted = lists.map((name) => `\`${name}\``).join(" or ");
      return [
        {
          urn,
          message: `${titleOf(zone)} is open to everybody who knows a password: declare a ZoneAccess with ${wanted}.`,
        },
      ];
    });
  },
});
