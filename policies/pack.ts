// What the CLI runs for `--policy-pack node_modules/pulumi-brightdata-policy`.
import { BrightdataGuard } from "./guard";

new BrightdataGuard();
