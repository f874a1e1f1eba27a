import { Ports } from "../noop";
import { sets } from "../ports";

for (const [place, set] of sets.entries()) new Ports(`set-${place}`, set);
