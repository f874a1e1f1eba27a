import { expect, test } from "vitest";
import { MoveError } from "../../src/run/move";

test("two providers of one name are told apart", () => {
  expect(new MoveError("ProxyPort 24000", "shop", "shop", "nothing", "update").message).toBe(
    'ProxyPort 24000 has moved from the provider "shop" to another provider "shop", where there is no such thing. Nothing was done. If both are the same service, run `pulumi refresh --run-program=false` before the move. To delete it with the provider "shop" and make it with another provider "shop", run `pulumi up --replace <its URN>`. If the former service is gone, run `pulumi state delete <its URN>`.',
  );
});
