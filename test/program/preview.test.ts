import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { Provider, ProxyPort, Zone } from "../../src";
import { useEnvironment } from "../functions/harness";

let marks: Record<string, unknown>;

beforeEach(() => {
  marks = {};
  pulumi.runtime.setAllConfig({});
  onTestFinished(() => pulumi.runtime.setAllConfig({}));
  useEnvironment({ BRIGHTDATA_CHECK_ON_PREVIEW: undefined });
});

async function runs(preview: boolean): Promise<void> {
  const newResource = ({ name, inputs }: pulumi.runtime.MockResourceArgs) => {
    marks[name] = inputs.__program?.preview;
    return { id: preview ? undefined : `${name}-id`, state: inputs };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", preview);
}

const made = (...resources: pulumi.Resource[]) =>
  Promise.all(resources.map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));

test("without the setting, and in an update, nothing tells the provider of it", async () => {
  await runs(true);
  await made(new ProxyPort("off", { zone: "web" }));
  pulumi.runtime.setAllConfig({ "brightdata:checkOnPreview": "true" });
  await runs(false);
  await made(new ProxyPort("update", { zone: "web" }));
  expect(marks).toEqual({ off: undefined, update: undefined });
});

test("the provider is told of a preview, and whether the program makes the zone", async () => {
  useEnvironment({ BRIGHTDATA_CHECK_ON_PREVIEW: "true" });
  await runs(true);
  const zone = new Zone("zone", { plan: { type: "static" } });
  const alone = new ProxyPort("alone", { zone: "web" });
  const other = new ProxyPort("other", { zone: alone.zone });
  const its = new ProxyPort("its", { zone: pulumi.interpolate`${zone.name}` });
  await made(zone, alone, other, its);
  expect(marks).toEqual({
    zone: { zoneIsDeclared: false },
    alone: { zoneIsDeclared: false },
    other: { zoneIsDeclared: false },
    its: { zoneIsDeclared: true },
  });
});

test("an explicit provider goes by its own settings", async () => {
  await runs(true);
  await made(new ProxyPort("port", { zone: "web" }, { provider: new Provider("shop", { checkOnPreview: true }) }));
  expect(marks.port).toEqual({ zoneIsDeclared: false });
});

test("what is looked up is no part of the preview", async () => {
  useEnvironment({ BRIGHTDATA_CHECK_ON_PREVIEW: "true" });
  await runs(true);
  await made(Zone.get("zone", "web"));
  expect(marks).toEqual({ zone: undefined });
});
