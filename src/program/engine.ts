import * as pulumi from "@pulumi/pulumi";
import { addressIn } from "../run/runFiles";

/**
 * The address of the engine that runs the program; `undefined` where there is none, as under test. The SDK's `hasEngine` denies
 * that there is one in inline programs of the Automation API.
 */
export const engineAddress = (): string | undefined => addressIn(targetOf(pulumi.runtime.getEngine()));

/** Where a client of gRPC leads; the SDK's types do not say that it is one. */
const targetOf = (client: object | undefined): string =>
  (client as { getChannel?(): { getTarget(): string } } | undefined)?.getChannel?.().getTarget() ?? "";
