import type { Resource } from "./program.mts";
import { anyhow, ips, resource, type Scene, there, up, well, zone } from "./sceneParts.mts";

const address = (name: string, ip: string): Resource => resource("WhitelistIp", name, { ip });

/** Lists of which each resource has a part, and what they tell. */
export const LIST_SCENES: Readonly<Record<string, Scene>> = {
  blocks: {
    says: "Blocks of addresses are written with the whole list, and all else stays on it.",
    draw: (chance) => {
      const block = address("a", "203.0.113.64/26");
      const all = chance.pick([
        [block, address("b", "203.0.113.7")],
        [address("b", "203.0.113.7"), block],
        [block, address("b", "203.0.113.128/26")],
      ]);
      const left = all.filter(() => chance.oneIn(2));
      return { steps: [well(all, anyhow(chance)), there("ui 198.51.100.1"), well(left, anyhow(chance))] };
    },
  },
  blocksAtOnce: {
    says: "Blocks of addresses come and go at the same time.",
    draw: (chance) => {
      const blocks = ["203.0.113.0/26", "203.0.113.64/26", "203.0.113.128/26"].map((ip, index) =>
        address(`a${index}`, ip),
      );
      const [first = [], second = []] = [blocks.slice(0, 2), [blocks[2] as Resource]];
      const steps = [
        well(first, { together: true }),
        well(second, { together: true }),
        well(chance.oneIn(2) ? [] : blocks),
      ];
      return { steps };
    },
  },
  shortLists: {
    says: "Lists lack IPs, one after the other.",
    draw: (chance) => {
      const one = ips("a", 1 + chance.below(3), { zone: chance.pick(["web", "shop"]) });
      const fault = chance.pick(["empty list", "short list"]);
      const trouble = { at: "remote" as const, after: chance.below(4), fault, times: chance.pick([2, 4, 12]) };
      return {
        steps: [
          well([one]),
          chance.oneIn(2) ? up([one], { refresh: true, trouble }) : { do: "refresh", stack: 0, trouble },
          up([one]),
        ],
      };
    },
  },
  lateAfterAnAnswer: {
    says: "Lists lack IPs for long that an answer has given.",
    draw: (chance) => {
      const one = ips("a", 1 + chance.below(3));
      const late = { ipReads: 30 + chance.below(20), isLasting: true } as const;
      const cut = { by: "cancel" as const, when: "answer" as const, after: 4 + chance.below(4) };
      return { steps: [up([one], { late, interruption: cut }), up([one], { late })] };
    },
  },
  emptyZones: {
    says: "The list of zones is empty, or short.",
    draw: (chance) => {
      const one = zone("a", { name: "alpha0" });
      const fault = chance.pick(["empty list", "short list"]);
      const trouble = { at: "remote" as const, after: chance.below(5), fault, times: chance.pick([1, 2]) };
      return { steps: [well([one]), { do: "refresh", stack: 0, trouble }, up([one]), there("zone alpha0")] };
    },
  },
};
