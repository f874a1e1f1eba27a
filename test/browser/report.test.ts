import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ROOT } from "../../scripts/root.mts";
import { startSimulator } from "../../simulator";
import { htmlOf } from "../../src/cli/report/html";
import { addUsed, NOW, startSpent } from "../cli/report/account";
import { reportOn, stateOf } from "../cli/report/made";
import { Browser, type View } from "./browser";
import { indexed } from "./png";

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 1400 };

/** How wide the page is, and what of it is further to the right than anybody sees. */
const WIDTHS = `[document.documentElement.scrollWidth, [...document.querySelectorAll("body *")].filter((each) =>
  each.checkVisibility() && each.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map((each) => each.outerHTML.slice(0, 80))]`;

/** A stack that holds most of what there is. */
const STATE = stateOf(
  ...["residential", "web_scraping", "isp_berlin", "serp", "unlocker"].map(
    (name) => ["Zone", name, name, { name }] as const,
  ),
  ...[24_000, 24_001, 24_010, 24_011].map((port) => ["ProxyPort", `port-${port}`, String(port), { port }] as const),
);

const VIEWS: readonly View[] = [PHONE, DESKTOP].flatMap((size) =>
  (["light", "dark"] as const).map((scheme) => ({ ...size, scheme })),
);

describe.skipIf(inject("chromium") === "")("the page of a report", () => {
  let browser: Browser;
  let folder: string;
  let file: string;
  let page: string;
  let withStack: string;

  beforeAll(async () => {
    const simulator = await startSpent();
    const settled = (text: string) =>
      text
        .replaceAll(simulator.remote.url, "https://api.brightdata.com")
        .replaceAll(simulator.manager.url, "http://127.0.0.1:22999");
    page = settled(htmlOf(await reportOn(simulator)));
    withStack = settled(htmlOf(await reportOn(simulator, { states: [STATE] })));
    await simulator.close();
    folder = mkdtempSync(join(tmpdir(), "report-page-"));
    file = join(folder, "report.html");
    writeFileSync(file, page);
    browser = await Browser.start(inject("chromium"));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  /** What the page's own icon says goes nowhere. */
  const asked = () => browser.requests().filter((url) => !url.startsWith("data:"));
  const address = () => pathToFileURL(file).href;
  const texts = (selector: string) =>
    browser.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.innerText.trim())`,
    );

  test.each(VIEWS)("on %o it fits, has its totals, and asks for nothing but itself", async (view) => {
    await browser.open(address(), view);
    expect(await texts("h2")).toEqual(["Costs to end", "Account"]);
    expect(await texts("dl.tiles dd")).toEqual([
      "1,357.61\n+20% on 1,063.11 before",
      "1,731.91\n30 days at this pace",
      "918.14+\n+4% on 830.48 before",
      "69%\n9 of 13",
    ]);
    const total = await browser.evaluate(
      `[...document.querySelectorAll("tfoot th, tfoot td")].filter((cell) => cell.offsetWidth > 0).map((cell) => cell.innerText)`,
    );
    const all = ["Total", "1,357.61", "1,063.11", "+20%", "1,731.91", "918.14+", "830.48+", "13", "9", ""];
    expect(total).toEqual(view.width < 600 ? ["Total", "1,357.61", "+20%", "918.14+"] : all);
    expect(await browser.evaluate(WIDTHS)).toEqual([view.width, []]);
    expect(asked()).toEqual([address()]);
    expect(browser.complaints()).toEqual([]);
  });

  test("300 zones of two accounts, with names of any length and failures, fit a phone, too", async () => {
    const [one, other] = await Promise.all(
      ["hl_1", "hl_2"].map((customer) => startSimulator({ customer, clock: () => NOW })),
    );
    if (one === undefined || other === undefined) throw new Error("there are two");
    const plan = { type: "static", ips_type: "dedicated", ips: 1 };
    for (let index = 0; index < 300; index++) {
      const name = `${"long_".repeat(index % 12)}zone_${index}`;
      addUsed((index % 2 ? one : other).account, name, plan, (day) => ({
        cost: 1234.5 * (index % 7),
        bw_sum: day * 1e12,
      }));
    }
    one.remote.service.faults.add({ path: "/zone/ips/unavailable", kind: "respond", status: 400 });
    const shop = { apiToken: other.token, baseUrl: other.remote.url };
    const environment = { ...one.environment(), BRIGHTDATA_ACCOUNTS: JSON.stringify({ ["shop-".repeat(12)]: shop }) };
    const many = join(folder, "many.html");
    writeFileSync(many, htmlOf(await reportOn(one, { environment })));
    await Promise.all([one.close(), other.close()]);
    await browser.open(pathToFileURL(many).href, { ...PHONE, scheme: "light" });
    expect(await browser.evaluate(WIDTHS)).toEqual([PHONE.width, []]);
    expect(await browser.evaluate(`document.querySelectorAll("tbody tr:has(.spark)").length`)).toBe(300);
    expect(await texts("h2")).toEqual(["Not read", "Account", `Account ${"shop-".repeat(12)}`]);
    expect(await texts(".legend li:last-child")).toContain("142 other zones");
  });

  test("light and dark are told apart, and text can be read on both", async () => {
    const colors: string[][] = [];
    for (const scheme of ["light", "dark"] as const) {
      await browser.open(address(), { ...DESKTOP, scheme });
      const seen = await browser.evaluate(`["body", ".card", "th", "svg text", ".findings b"].map((selector) => {
        const style = getComputedStyle(document.querySelector(selector));
        return selector === "svg text" ? style.fill : selector === ".card" ? style.backgroundColor : style.color;
      })`);
      colors.push(seen as string[]);
    }
    const [light = [], dark = []] = colors;
    for (const [body, card, ...others] of [light, dark]) {
      for (const color of [body, ...others]) expect(contrast(color, card)).toBeGreaterThan(4.5);
    }
    expect(luminance(light[1])).toBeGreaterThan(0.9);
    expect(luminance(dark[1])).toBeLessThan(0.05);
  });

  test("every plot is drawn, and its table opens without a script", async () => {
    await browser.send("Emulation.setScriptExecutionDisabled", { value: true });
    try {
      await browser.open(address(), { ...DESKTOP, scheme: "light" });
      const plots = `[...document.querySelectorAll("figure")].map((figure) => [
        figure.querySelector("h3").innerText, figure.querySelectorAll("svg[role=img] :is(rect, polyline)").length])`;
      expect(await browser.evaluate(plots)).toEqual([
        ["Cost by zone and day, USD", 124],
        ["Cost so far and forecast of the month, USD", 3],
        ["Bandwidth by zone and day, GB", 92],
        ["Unused IPs by zone", 6],
      ]);
      const summary = `document.querySelectorAll("summary")[3].getBoundingClientRect().toJSON()`;
      await browser.evaluate(`document.querySelectorAll("summary")[3].scrollIntoView()`);
      const { x, y, width, height } = (await browser.evaluate(summary)) as Record<string, number>;
      const middle = { x: (x ?? 0) + (width ?? 0) / 2, y: (y ?? 0) + (height ?? 0) / 2, button: "left", clickCount: 1 };
      for (const type of ["mousePressed", "mouseReleased"])
        await browser.send("Input.dispatchMouseEvent", { type, ...middle });
      expect(await texts("details[open] tr")).toEqual([
        "Zone\tUnused\tIPs",
        "isp_berlin\t5\t5",
        "web_scraping\t2\t6",
        "spare\t2\t2",
      ]);
    } finally {
      await browser.send("Emulation.setScriptExecutionDisabled", { value: false });
    }
  });

  describe("behind a server that allows neither style nor script", () => {
    let server: Server;
    let url: string;

    beforeAll(async () => {
      server = createServer((request, response) => {
        const policy = request.url === "/open" ? {} : { "content-security-policy": "sandbox; default-src 'none'" };
        response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...policy });
        response.end(request.url === "/open" ? `<img src="/seen"><style>body { color: red }</style>` : page);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

    test("plots have their colors and sizes, and numbers their places", async () => {
      await browser.open(`${url}/strict`, { ...DESKTOP, scheme: "light" });
      expect(await browser.evaluate(`getComputedStyle(document.querySelector(".card")).borderRadius`)).toBe("0px");
      const fills = `[...new Set([...document.querySelectorAll("figure svg rect")].map((rect) => getComputedStyle(rect).fill))]`;
      expect(((await browser.evaluate(fills)) as string[]).length).toBe(7);
      const heights = `[...document.querySelectorAll("figure > svg")].map((svg) => svg.getBoundingClientRect().height > 80)`;
      expect(await browser.evaluate(heights)).toEqual([true, true, true, true]);
      expect(await texts("tfoot td:nth-child(2)")).toEqual(["1,357.61"]);
      expect(asked()).toEqual([`${url}/strict`]);
    });

    test("a page that asks for more would be found out", async () => {
      await browser.open(`${url}/open`, { ...DESKTOP, scheme: "light" });
      expect(asked()).toEqual([`${url}/open`, `${url}/seen`]);
    });
  });

  test.runIf(process.env.REPORT_PICTURE)("its picture is kept for the documents", async () => {
    const shown = join(folder, "with-stack.html");
    writeFileSync(shown, withStack);
    await browser.open(pathToFileURL(shown).href, { width: 1160, height: 2030, scheme: "light" });
    const picture = indexed(await browser.picture());
    expect(picture.length).toBeLessThan(150_000);
    writeFileSync(join(ROOT, "docs/images/report.png"), picture);
  });
});

/** How bright a color is, from 0 to 1, as WCAG 2 has it. */
function luminance(color = ""): number {
  const channels = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((channel) => Number(channel) / 255);
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = "", other = ""): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}
