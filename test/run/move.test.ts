import { expect, test } from "vitest";
import { MoveError } from "../../src/run/move";

test.each([
  ["update", ", and declare the new service as a provider with another name."],
  ["read", " in the program, and run `pulumi refresh --run-program`."],
  ["delete", " in the program, run `pulumi up`, and delete it then."],
] as const)("a provider that leads elsewhere by now should get its URL back: %s", (operation, remedy) => {
  expect(new MoveError("ProxyPort 24000", "shop", "shop", "nothing", operation).message).toBe(
    `ProxyPort 24000 has moved from the provider "shop" to another provider "shop", where there is no such thing. Nothing was done. Give the provider "shop" its former URL again${remedy} If the former service is gone, run \`pulumi state delete <its URN>\`.`,
  );
});

test("what has moved between two providers can be made anew", () => {
  expect(new MoveError("ProxyPort 24000", "shop", undefined, "nothing", "update").message).toMatch(
    /To delete it with the provider "shop" and make it with the default provider, run `pulumi up --replace <its URN>`\.$/,
  );
});
