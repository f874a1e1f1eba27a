import { ProxyPorts } from "pulumi-brightdata/native";
import { sets } from "../ports";

for (const [place, set] of sets.entries()) new ProxyPorts(`set-${place}`, set);
