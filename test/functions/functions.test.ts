import { globSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ArgumentError, ConnectionError, NotFoundError } from "../../src/base/errors";
import type { Properties, Property } from "../../src/declaration/property";
import * as functions from "../../src/generated";
import { ProxyPort, Zone } from "../../src/generated";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import type { Lookup } from "../../src/lookups/lookup";
import { failureOf, PORT, program, settled, startManager, startService, useEnvironment } from "./harness";

type Args = Record<string, unknown>;

const PLAIN = functions as unknown as Record<string, (args: Args) => Promise<unknown>>;
const AS_OUTPUT = functions as unknown as Record<string, (args: Args) => pulumi.Output<unknown>>;

const plainOf = ({ name }: Lookup) => PLAIN[name] as (args: Args) => Promise<unknown>;
const outputOf = ({ name }: Lookup) => AS_OUTPUT[`${name}Output`] as (args: Args) => pulumi.Output<unknown>;

/** Arguments that the service is asked with, where the examples of the required ones are not enough for that. */
const MORE: Readonly<Record<string, Args>> = { getAvailableIpCount: { plan: {} } };

const argumentsOf = (lookup: Lookup): Args => ({
  ...Object.fromEntries(
    Object.entries(lookup.arguments).flatMap(([name, { required, example }]) => (required ? [[name, example]] : [])),
  ),
  ...MORE[lookup.name],
});

const declared = (): Promise<Lookup[]> =>
  Promise.all(
    globSync("get*.ts", { cwd: join(__dirname, "../../src/functions") }).map(async (file) => {
      const name = file.slice(0, file.indexOf("."));
      const found: Record<string, Lookup> = await import(`../../src/functions/${name}.ts`);
      return found[name] as Lookup;
    }),
  );

/** Whether a request is one of those declared, such as `GET /api/banlist/{PORT}?full=true`. */
const isAmong = (endpoints: readonly string[], line: string): boolean =>
  endpoints.some((endpoint) => {
    const [path = ""] = endpoint.split("?");
    return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`).test(line);
  });

type Named = [name: string, property: Property];

/** The properties, and those within them that are not within a secret. */
const openIn = (properties: Properties): Named[] =>
  Object.entries(properties).flatMap(([name, property]) => [[name, property], ...within(name, property)]);

function within(name: string, property: Property): Named[] {
  if (property.secret) return [];
  switch (property.is) {
    case "object":
      return openIn(property.properties);
    case "list":
      return within(name, property.items);
    case "map":
      return within(name, property.values);
    case "choice":
    case "variants":
      return Object.values(property.of).flatMap((one) => within(name, one));
    default:
      return [];
  }
}

const NOBODY = { BRIGHTDATA_BASE_URL: "http://127.0.0.1:1", BRIGHTDATA_PROXY_MANAGER_URL: "http://127.0.0.1:2" };

describe("the functions", async () => {
  const lookups = await declared();
  const having = (name: string, service: string) =>
    lookups.filter((lookup) => lookup.service === service && lookup.arguments[name]?.required);

  test.each(lookups)("$name sends the requests of its declaration", async (lookup) => {
    const { account, manager, allAsked } = await startManager([PORT]);
    account.addZone("web_scraping", { type: "static", ips: 1 });
    manager.logIn();
    await plainOf(lookup)(argumentsOf(lookup)).catch(() => undefined);
    const asked = allAsked();
    expect(asked).not.toEqual([]);
    expect(asked.filter((line) => !isAmong(lookup.endpoints, line))).toEqual([]);
  });

  test.each(lookups)("$name has as secrets what the inputs of resources have as such", ({ result }) => {
    const inputs = Object.values(LIFECYCLES).flatMap(({ declaration }) => openIn(declaration.inputs));
    const secrets = new Set(inputs.flatMap(([name, { secret }]) => (secret ? [name] : [])));
    const told = openIn(result).flatMap(([name, { secret }]) => (secret || !secrets.has(name) ? [] : [name]));
    expect(told).toEqual([]);
  });

  test.each(lookups)("$name tells that the service cannot be reached", async (lookup) => {
    const token = lookup.service === "remote" ? "the-token" : undefined;
    useEnvironment({ ...NOBODY, BRIGHTDATA_API_TOKEN: token, BRIGHTDATA_RETRIES: "0", BRIGHTDATA_LOG: "off" });
    await expect(plainOf(lookup)(argumentsOf(lookup))).rejects.toBeInstanceOf(ConnectionError);
  });

  test.each(lookups)("$name says which argument is missing, and sends nothing", async (lookup) => {
    const { allAsked } = await startManager();
    const required = Object.entries(lookup.arguments).flatMap(([name, argument]) => (argument.required ? [name] : []));
    const plain = plainOf(lookup) as (args?: unknown) => Promise<unknown>;
    for (const name of required) {
      const { [name]: _, ...others } = argumentsOf(lookup);
      await expect(plain(others)).rejects.toThrow(`The argument \`${name}\` of \`${lookup.name}\` is missing.`);
    }
    if (required.length > 0) {
      await expect(plain()).rejects.toThrow(`The arguments of \`${lookup.name}\` are missing: expected an object with`);
      await program(false);
      const output = outputOf(lookup) as (args?: unknown) => pulumi.Output<unknown>;
      expect(await failureOf(() => output())).toBeInstanceOf(ArgumentError);
    }
    await expect(plain(null)).rejects.toThrow(
      `The arguments of \`${lookup.name}\` are not an object: expected an object`,
    );
    expect(allAsked()).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["getSnapshots", { datasetId: " " }, '`datasetId` is " ": expected a text that is not empty.'],
    [
      "getSnapshots",
      { datasetId: "gd_1", limit: 0, skip: -3, fromDate: "yesterday" },
      '`skip` is -3: expected a whole number from 0 on. `limit` is 0: expected a whole number from 1 to 5000. `fromDate` is "yesterday": expected a day, such as "2026-05-01".',
    ],
    ["getStaticCities", { country: "us", poolIpType: "isp" }, '`poolIpType` is "isp": expected "dc" or "static_res".'],
    ["getZone", { nane: "web", name: "web" }, "`nane` is not an argument of `getZone`. Did you mean `name`?"],
    ["getZone", { name: 12 }, "`name` is 12: expected a text."],
    ["getBannedIps", { port: 0 }, "`port` is 0: expected a whole number from 1 to 65535."],
  ])("%s refuses %j, and sends nothing", async (name, args, words) => {
    const { allAsked } = await startManager();
    const lookup = lookups.find((one) => one.name === name) as Lookup;
    const failing = plainOf(lookup)(args as never);
    await expect(failing).rejects.toBeInstanceOf(ArgumentError);
    await expect(failing).rejects.toThrow(
      new RegExp(`^The arguments of \`${name}\` cannot be used: .* Nothing was sent\\.$`),
    );
    await expect(failing).rejects.toThrow(words);
    expect(allAsked()).toEqual([]);
  });

  test.each([
    ["getZone", { name: pulumi.output("web") }, "name"],
    ["getAvailableIpCount", { plan: { country: pulumi.output("us") } }, "plan"],
  ])("%s with an output says which function takes it", async (name, args, argument) => {
    const plain = plainOf(lookups.find((one) => one.name === name) as Lookup);
    await expect(plain(args)).rejects.toEqual(
      new ArgumentError(
        `\`${argument}\` is an output, or has one, and ${name} needs values that are known: call ${name}Output instead. Nothing was sent.`,
      ),
    );
  });

  test("options in the place of arguments are said to be options, and what is undefined is not there", async () => {
    const { allAsked, account } = await startManager();
    account.addZone("web", { type: "static" });
    const getZones = plainOf(lookups.find(({ name }) => name === "getZones") as Lookup);
    await expect(getZones({ parent: undefined, provider: pulumi.output({}) } as never)).rejects.toThrow(
      "`provider` is no argument of getZones, but an option: give options behind the arguments, as in `getZones(args, { provider })`. Nothing was sent.",
    );
    expect(allAsked()).toEqual([]);
    expect(await getZones({ parent: undefined } as never)).toMatchObject({ zones: [{ name: "web" }] });
  });

  test.each(lookups)("$name is the same as an output, in a preview too", async (lookup) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await program(true);
    const { account, manager } = await startManager([PORT]);
    account.addZone("web_scraping", { type: "static", ips: 1 });
    manager.state.users = [{ email: "ann@example.com", password: "hush-pw" }];
    manager.state.settings.bw_limit_webhook_url = "https://hook.example.com/hush";
    manager.logIn();
    const args = argumentsOf(lookup);
    const promised = await plainOf(lookup)(args).then(
      (value) => settled(pulumi.output(value)),
      (error: unknown) => String(error),
    );
    const given = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, Promise.resolve(value)]));
    const output = () => outputOf(lookup)(given);
    if (typeof promised === "string") expect(String(await failureOf(output))).toBe(promised);
    else await expect(settled(output())).resolves.toEqual(promised);
  });

  test("one that fails makes its output fail", async () => {
    await program(false);
    useEnvironment({ ...NOBODY, BRIGHTDATA_RETRIES: "0", BRIGHTDATA_LOG: "off" });
    const failure = await failureOf(() => functions.getManagerSessionOutput());
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(String(failure)).toContain("Check that the Proxy Manager is running");
  });

  describe.each(having("zone", "remote"))("$name", (lookup) => {
    const plain = plainOf(lookup);
    const output = outputOf(lookup);

    test("tells a zone that does not exist, with the name that is most like it", async () => {
      const { account, faults } = await startService();
      account.addZone("web", { type: "static" });
      faults.add({ containing: "wep", kind: "respond", status: 422, body: "Zone not found" });
      const call = plain({ zone: "wep" });
      await expect(call).rejects.toBeInstanceOf(NotFoundError);
      await expect(call).rejects.toThrow(/the most similar is "web"\. Where somebody has deleted a declared zone, /);
    });

    test("sends nothing for a blank name", async () => {
      const { asked } = await startService();
      await expect(plain({ zone: " " })).rejects.toThrow('`zone` is " ": expected a text that is not empty.');
      expect(asked()).toEqual([]);
    });

    test("asks once a zone of the same program is made", async () => {
      await program(false);
      const { account, asked } = await startService();
      account.addZone("web", { type: "static" });
      const { name } = new Zone("web", { name: "web", plan: { type: "static" } });
      await expect(settled(output({ zone: name }))).resolves.toMatchObject({ value: { zone: "web" } });
      expect(asked()).toHaveLength(1);
    });

    test("asks for nothing in the preview of that", async () => {
      await program(true);
      const { asked } = await startService();
      const { name } = new Zone("web", { name: "web", plan: { type: "static" } });
      await expect(settled(output({ zone: name }))).resolves.toMatchObject({ value: "unknown" });
      expect(asked()).toEqual([]);
    });
  });

  test.each(having("zone", "manager"))("$name tells a zone that does not exist, and a blank name", async (lookup) => {
    const { asked } = await startManager();
    await expect(plainOf(lookup)({ zone: " " })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
    await expect(plainOf(lookup)({ zone: "wep" })).rejects.toBeInstanceOf(NotFoundError);
  });

  describe.each(having("port", "manager"))("$name", (lookup) => {
    const plain = plainOf(lookup);
    const output = outputOf(lookup);

    test("tells that there is no such port", async () => {
      await startManager([PORT]);
      await expect(plain({ port: 24999 })).rejects.toBeInstanceOf(NotFoundError);
    });

    test.each([0, 24000.5, 70_000, "../settings"])("sends nothing for the port %s", async (port) => {
      const { asked } = await startManager();
      await expect(plain({ port })).rejects.toBeInstanceOf(ArgumentError);
      expect(asked()).toEqual([]);
    });

    test("asks once a port of the same program is made, and not in the preview of that", async () => {
      await program(false);
      const { asked } = await startManager([PORT]);
      const made = new ProxyPort("web", { zone: "static", port: 24000 });
      await expect(settled(output({ port: made.port.apply(Number) }))).resolves.toMatchObject({
        value: { port: 24000 },
      });
      expect(asked()).toHaveLength(1);
      await program(true);
      const planned = new ProxyPort("web", { zone: "static", port: 24000 });
      await expect(settled(output({ port: planned.port.apply(Number) }))).resolves.toMatchObject({ value: "unknown" });
      expect(asked()).toHaveLength(1);
    });
  });
});
