import { Chance } from "./chance.mts";
import type { History } from "./history.mts";
import { KILLED_SCENES } from "./killedScenes.mts";
import { LIST_SCENES } from "./listScenes.mts";
import { OWNER_SCENES } from "./ownerScenes.mts";
import type { Scene } from "./sceneParts.mts";

/** Short histories of which one knows how they have to end, by name. */
export const SCENES: Readonly<Record<string, Scene>> = { ...OWNER_SCENES, ...KILLED_SCENES, ...LIST_SCENES };

/** Of so many histories, one is a scene. */
const ONE_IN = 5;

/**
 * The scene that a seed decides; `undefined` where that is none.
 *
 * @param only names of which one is played in any case; where none of them is a scene's, none is
 */
export function sceneOf(seed: number, only?: readonly string[]): History | undefined {
  const chance = new Chance(seed * 64 + 1);
  const isDrawn = chance.oneIn(ONE_IN);
  const names = only?.filter((name) => name in SCENES) ?? (isDrawn ? Object.keys(SCENES) : []);
  if (names.length === 0) return undefined;
  const scene = chance.pick(names);
  const plot = (SCENES[scene] as Scene).draw(chance);
  return { seed, scene, stacks: [{ home: 0, service: 0, backend: 0 }], ...plot };
}
