import * as pulumi from "@pulumi/pulumi";
import { expect, test, vi } from "vitest";
import { pendingCreations } from "../../../src/cli/pipeline/pending";
import { typeOf } from "../../../src/dynamic/type";
import * as native from "../../../src/native";
import { SECRET_MARK } from "../../../src/pulumi/values";
import { placeIn } from "../../../src/run/placeText";

const resource = (kind: string, name: string, inputs: object) => ({
  urn: `urn:pulumi:pr-1::shop::${typeOf(kind)}::${name}`,
  type: typeOf(kind),
  inputs,
});
const pending = (type: string, of: object) => ({ type, resource: of });
const stateOf = (operations: object[], resources: object[] = []) => ({
  version: 3,
  deployment: { resources, pending_operations: operations },
});
const sealed = (ciphertext: string) => ({ ...SECRET_MARK, ciphertext });

test("what was begun to be created is named by what the program calls it", () => {
  const other = { urn: "urn:pulumi:pr-1::shop::aws:s3/bucket:Bucket::logs::2026", type: "aws:s3/bucket:Bucket" };
  const operations = [
    pending("creating", resource("Zone", "web", { name: "web_pr_1", __key: "shop/web" })),
    pending("creating", resource("ProxyPort", "port", { zone: "web", port: 24_000 })),
    pending("creating", other),
    pending("updating", resource("Zone", "other", {})),
  ];
  expect(pendingCreations(stateOf(operations))).toMatchObject([
    { title: "Zone web (web_pr_1)", kind: "Zone", places: ["shop/web"] },
    { title: "ProxyPort port (24000)", kind: "ProxyPort" },
    { title: "Bucket logs::2026", kind: "Bucket", places: [] },
  ]);
});

test.each(["acme", undefined])(
  "where a native resource stands is known by its URN, in the organization %s",
  async (organization) => {
    const found: { urn: string; type: string; parent: string | undefined; place: unknown }[] = [];
    const newResource = ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
      const parent = name === "below" ? SITE : undefined;
      const urn = `urn:pulumi:pr-1::shop::${parent === undefined ? "" : "my:Site$"}${type}::${name}`;
      if (type.startsWith("brightdata:"))
        found.push({ urn, type, parent: parent ?? STACK, place: inputs.__program.place });
      return { id: name, state: inputs };
    };
    await pulumi.runtime.setMocks(
      { newResource, call: () => ({}) },
      "shop",
      "pr-1",
      false,
      organization ?? "organization",
    );
    const plan = { type: "static" } as const;
    new native.Zone("web", { plan });
    new native.Zone("below", { plan }, { parent: new pulumi.ComponentResource("my:Site", "site") });
    await vi.waitFor(() => expect(found).toHaveLength(2));
    const operations = found.map(({ urn, type, parent }) => pending("creating", { urn, type, parent, inputs: {} }));
    const places = pendingCreations(stateOf(operations), organization).map((each) => each.places);
    expect(places).toEqual(found.map(({ place }) => expect.arrayContaining([placeIn(String(place))])));
  },
);

const STACK = "urn:pulumi:pr-1::shop::pulumi:pulumi:Stack::shop-pr-1";
const SITE = "urn:pulumi:pr-1::shop::my:Site::site";

test("what a later update has created with the same inputs is pending no more", () => {
  const begun = resource("ProxyPort", "port", { port: 24_000, password: sealed("v1:a") });
  const there = { ...begun, id: "24000" };
  const operations = [pending("creating", begun)];
  const again = { ...there, inputs: { password: sealed("v1:b"), port: 24_000 } };
  expect(pendingCreations(stateOf(operations, [again]))).toEqual([]);
  const former = { ...there, inputs: { port: 24_001, password: sealed("v1:a") } };
  expect(pendingCreations(stateOf(operations, [former]))).toHaveLength(1);
});

test.each([undefined, {}, { deployment: null }, { deployment: { resources: [] } }])(
  "%j has nothing pending",
  (state) => {
    expect(pendingCreations(state)).toEqual([]);
  },
);
