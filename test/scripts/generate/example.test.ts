import { expect, test } from "vitest";
import { examplesOf, withExample, withoutExamples } from "../../../scripts/generate/example.mts";

const ZONE = `const zone = new brightdata.Zone("web", { plan: { type: "static" } }, { protect: true });
export const password = zone.password;`;

const exampleOf = (text: string) =>
  examplesOf(
    new Map([
      ["Zone", ZONE],
      ["It", text],
    ]),
  ).get("It");

const pcl = (text: string) => exampleOf(text)?.pcl.replace(/\s+/g, " ").trim();

test("an example begins with what it uses of others", () => {
  const example = exampleOf(`new brightdata.ProxyPort("us-1", { zone: zone.name, on: [true, 1] });`);
  expect(example?.typescript).toBe(`import * as brightdata from "pulumi-brightdata";

const zone = new brightdata.Zone("web", { plan: { type: "static" } }, { protect: true });
new brightdata.ProxyPort("us-1", { zone: zone.name, on: [true, 1] });`);
  expect(example?.pcl).toBe(`resource "zone" "brightdata:index:Zone" {
  __logicalName = "web"
  plan = { type = "static" }
  options {
    protect = true
  }
}
resource "us1" "brightdata:index:ProxyPort" {
  __logicalName = "us-1"
  zone = zone.name
  on = [true, 1]
}
`);
});

test.each([
  [
    `const { ips, zone: name = "" } = await brightdata.getZoneIps({ zone: "web" });`,
    'zoneIps = invoke("brightdata:index:getZoneIps", { zone = "web" }) output "ips" { value = zoneIps.ips } output "zone" { value = zoneIps.zone }',
  ],
  [
    "const { balance } = await brightdata.getBalance();",
    'balance = invoke("brightdata:index:getBalance", {}) output "balance" { value = balance.balance }',
  ],
  [
    "const { ips } = await brightdata.getIps();\nconst first = ips.find(({ ip }) => ip);",
    'ips = invoke("brightdata:index:getIps", {}) output "ips" { value = ips.ips }',
  ],
  [
    `const a = new brightdata.A("a", {});\nexport const url = pulumi.interpolate\`"\${a.host}":\${a.port}\`;`,
    `resource "a" "brightdata:index:A" { } output "url" { value = "\\"\${a.host}\\":\${a.port}" }`,
  ],
  [
    `const a = new brightdata.A("a", { text: "\${b}" });\nexport const b = a.map["b"]?.c;`,
    'resource "a" "brightdata:index:A" { text = "$${b}" }',
  ],
])("%s is %s", (text, expected) => {
  expect(pcl(text)).toBe(expected);
});

test.each([
  "new brightdata.A(name, {});",
  'new brightdata.A("a", { b: new Date() });',
  'new brightdata.A("a", { ...b });',
  "f();",
])("%s is refused", (text) => {
  expect(() => pcl(text)).toThrow("The example of It has what not every language can say");
});

test.each([
  `const port = new brightdata.ProxyPort("us", {});\nexport const zone = port.host;`,
  `const { ports } = await brightdata.getPorts();\nconst those = ports.filter(({ zone }) => zone === "web");`,
])("what %s calls by a name of another's is its own", (text) => {
  expect(exampleOf(text)?.typescript).toBe(`import * as brightdata from "pulumi-brightdata";\n\n${text}`);
});

test("a schema's examples are in its descriptions, and not in what is packed", () => {
  const example = { typescript: "a {}", pcl: "" };
  const description = withExample("It.", example, { pcl: "", in: { python: "b" } });
  expect(description.replace(/\n+/g, " ")).toBe(
    "It. {{% examples %}} ## Example Usage {{% example %}} ```typescript a {} ``` ```python b ``` {{% /example %}} {{% /examples %}}",
  );
  const both = { one: { description }, other: { description } };
  expect(JSON.parse(withoutExamples(JSON.stringify(both)))).toEqual({
    one: { description: "It." },
    other: { description: "It." },
  });
});
