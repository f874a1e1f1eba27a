import { describe, expect, test } from "vitest";
import { cannot, type Exchange, type Harness, startManager } from "./harness";

const WRONG = "Wrong format\n";
const NOT_LISTED = "IP is not whitelisted\n";
const NO_IP = "You need to pass an IP to add\n";

const put = (path: string, ip: unknown, status = 200, answer = "OK"): Exchange => [
  `PUT ${path}`,
  { ip },
  status,
  answer,
];

/** Ports 24000 with addresses of its own, and 24001 without. */
const start = async (options = {}): Promise<Harness> => {
  const harness = await startManager(options);
  const whitelist_ips = ["1.2.3.4", "10.1.2.3/24"];
  await harness.data("POST /api/proxies", { port: 24000, zone: "dc", whitelist_ips }, []);
  await harness.data("POST /api/proxies", { port: 24001, zone: "static" }, []);
  return harness;
};

const lists = (www: string[], ports: string[]): object => ({
  www_whitelist_ips: www,
  whitelist_ips: ports,
  fixed_whitelist_ips: www,
});

describe("who may call the API", () => {
  const path = "/api/whitelist_ip";

  test("the API's list needs no token, and opens every port too", async () => {
    const { replay, lists: byPort, settingsLists } = await start();
    await replay([
      put(path, "5.6.7.8"),
      put(path, "5.6.7.8"),
      ["PUT /api/v2/whitelist_ip", { ip: "5.5.5.7" }, 200, "OK"],
    ]);
    expect(await settingsLists()).toEqual(lists(["5.6.7.8", "5.5.5.7"], []));
    expect(await byPort()).toEqual({
      22225: ["5.6.7.8", "5.5.5.7"],
      24000: ["5.6.7.8", "5.5.5.7", "1.2.3.4", "10.1.2.3/24"],
      24001: ["5.6.7.8", "5.5.5.7"],
    });
    await replay([
      [`DELETE ${path}`, { ip: "5.6.7.8" }, 200, "OK"],
      [`DELETE ${path}`, { ip: "5.6.7.8" }, 404, NOT_LISTED],
      [`DELETE ${path}`, { ip: "bad" }, 422, WRONG],
      [`DELETE ${path}`, {}, 400, NO_IP],
    ]);
    expect(await byPort()).toEqual({
      22225: ["5.5.5.7"],
      24000: ["5.5.5.7", "1.2.3.4", "10.1.2.3/24"],
      24001: ["5.5.5.7"],
    });
  });

  test("the API's list drops a mask, and fills a short address up in front", async () => {
    const { replay, settingsLists } = await start();
    const accepted = ["10.20.30.77/24", "5.6.7", "0.0.0.0/0", "127.0.0.1", "010.1.1.1", "1.2.3.4/255.255.0.0"];
    await replay(accepted.map((ip) => put(path, ip)));
    const stored = ["10.20.30.0", "0.5.6.7", "0.0.0.0", "127.0.0.1", "8.1.1.1", "1.2.0.0"];
    expect(await settingsLists()).toEqual(lists(stored, []));
    await replay([[`DELETE ${path}`, { ip: "10.20.30.0" }, 200, "OK"]]);
  });

  test("newer managers keep the mask on the API's list, and fill up in the middle", async () => {
    const { replay, settingsLists } = await start({ keepsMask: true });
    await replay([put(path, "10.20.30.77/24"), put(path, "10.20.30.0/24"), put(path, "5.6.7"), put(path, "0.0.0.0/0")]);
    expect(await settingsLists()).toEqual(lists(["10.20.30.0/24", "5.6.0.7", "0.0.0.0/0"], []));
    await replay([
      [`DELETE ${path}`, { ip: "10.20.30.5/24" }, 200, "OK"],
      [`DELETE ${path}`, { ip: "5.6.7" }, 200, "OK"],
    ]);
    expect(await settingsLists()).toEqual(lists(["0.0.0.0/0"], []));
  });

  test("the API's list refuses what is no address", async () => {
    const { replay, settingsLists } = await start();
    const wrong = [
      "not-an-ip",
      "300.1.1.1",
      "::1",
      5,
      ["1.1.1.1"],
      " 8.8.4.4 ",
      "1.2.3.4/33",
      "1.2.3.4/x",
      "1.2.3.4.5",
    ];
    await replay(wrong.map((ip) => put(path, ip, 422, WRONG)));
    await replay([put(path, "", 400, NO_IP), [`PUT ${path}`, {}, 400, NO_IP], [`PUT ${path}`, undefined, 400, NO_IP]]);
    expect(await settingsLists()).toEqual(lists([], []));
  });

  test("the other spelling of the API's list is POST, in the first version alone", async () => {
    const { replay, call, settingsLists } = await start();
    const ip = { ip: "5.5.5.5" };
    await replay([
      ["PUT /api/add_whitelist_ip", ip, 404, cannot("PUT /api/add_whitelist_ip")],
      ["POST /api/v2/add_whitelist_ip", ip, 404, cannot("POST /api/v2/add_whitelist_ip")],
      ["POST /api/whitelist_ip", ip, 404, cannot("POST /api/whitelist_ip")],
      ["POST /api/add_whitelist_ip", ip, 200, "OK"],
      [
        "PUT /api/whitelist_ip",
        "ip=4.3.2.1",
        200,
        "OK",
        { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      ],
      ["PUT /api/whitelist_ip", { ip: "9.9.9.9" }, 200, "OK", { authorization: "wrong" }],
    ]);
    expect(await settingsLists()).toEqual(lists(["5.5.5.5", "4.3.2.1", "9.9.9.9"], []));
    expect((await call("GET /api/whitelist_ip")).body).toMatch(/^<!doctype html>/);
  });
});

describe("who may use the ports", () => {
  const path = "/api/wip";
  const withToken = async (harness: Harness, exchanges: Exchange[]): Promise<void> => {
    const authorization = harness.manager.state.settings.token_auth ?? "";
    await harness.replay(
      exchanges.map(([line, sent, status, answer]) => [line, sent, status, answer, { authorization }]),
    );
  };

  test("the ports' list needs the newest token, bare, of local callers too", async () => {
    const harness = await start();
    const refused = (authorization?: string): Exchange => [
      ...(["PUT /api/wip", { ip: "1.1.1.1" }, 403, "Token required"] as const),
      ...(authorization === undefined ? ([] as const) : ([{ authorization }] as const)),
    ];
    await harness.replay([refused(), refused("x")]);
    const { body: old } = await harness.call("GET /api/gen_token");
    const { body: fresh } = await harness.call("GET /api/gen_token");
    const { token } = fresh as { token: string };
    await harness.replay([
      refused((old as { token: string }).token),
      refused("wrong"),
      refused(),
      refused(`Bearer ${token}`),
      ["DELETE /api/wip", { ip: "1.1.1.1" }, 403, "Forbidden"],
      ["PUT /api/wip", { ip: "1.1.1.1" }, 200, "OK", { authorization: token }],
    ]);
    expect(await harness.settingsLists()).toEqual(lists([], ["1.1.1.1"]));
  });

  test("the ports' list brings blocks to their base, and leaves the machine itself out", async () => {
    const harness = await start();
    await harness.call("GET /api/gen_token");
    await withToken(harness, [
      put(path, "1.1.1.1"),
      put(path, "10.20.30.77/24"),
      put(path, "10.20.30.1/24"),
      put(path, "9.8.7.6/32"),
      put(path, "127.0.0.1"),
      put(path, "0.0.0.0/0"),
      put(path, "bad", 422, WRONG),
      [`PUT ${path}`, {}, 400, NO_IP],
      ["POST /api/add_wip", { ip: "2.2.2.2" }, 200, "OK"],
      ["POST /api/v2/add_wip", { ip: "2.2.2.2" }, 404, cannot("POST /api/v2/add_wip")],
      ["PUT /api/v2/wip", { ip: "3.3.3.3" }, 200, "OK"],
    ]);
    const stored = ["1.1.1.1", "10.20.30.0/24", "9.8.7.6", "0.0.0.0/0", "2.2.2.2", "3.3.3.3"];
    expect(await harness.settingsLists()).toEqual(lists([], stored));
    expect(await harness.lists()).toEqual({
      22225: stored,
      24000: [...stored, "1.2.3.4", "10.1.2.3/24"],
      24001: stored,
    });
    const remove = (ip: unknown, status = 200, answer = "OK"): Exchange => [`DELETE ${path}`, { ip }, status, answer];
    await withToken(harness, [
      remove("1.1.1.1"),
      remove("1.1.1.1", 404, NOT_LISTED),
      remove("10.20.30.77", 404, NOT_LISTED),
      remove("10.20.30.200/24"),
      remove("bad", 422, WRONG),
      [`DELETE ${path}`, {}, 400, "You need to pass an IP to remove\n"],
      remove("0.0.0.0/0"),
    ]);
    expect(await harness.settingsLists()).toEqual(lists([], ["9.8.7.6", "2.2.2.2", "3.3.3.3"]));
  });

  test("an address that may call the API leaves the ports' list for good", async () => {
    const harness = await start();
    await harness.call("GET /api/gen_token");
    await withToken(harness, [put(path, "1.1.1.1"), put(path, "2.2.2.2"), put("/api/whitelist_ip", "2.2.2.2")]);
    expect(await harness.settingsLists()).toEqual(lists(["2.2.2.2"], ["1.1.1.1"]));
    await withToken(harness, [["DELETE /api/whitelist_ip", { ip: "2.2.2.2" }, 200, "OK"]]);
    expect(await harness.settingsLists()).toEqual(lists([], ["1.1.1.1"]));
  });

  test("a port's own list is kept behind the default one", async () => {
    const harness = await start();
    const { data, lists: byPort, call } = harness;
    const own = async (whitelist_ips?: unknown): Promise<unknown> =>
      (await data("PUT /api/proxies/24001", { ...(whitelist_ips ? { whitelist_ips } : {}) }, ["whitelist_ips"]))
        .whitelist_ips;
    await call("GET /api/gen_token");
    expect(await own(["7.7.7.7", "8.8.0.9/16"])).toEqual(["7.7.7.7", "8.8.0.9/16"]);
    await withToken(harness, [put(path, "7.7.7.7"), put(path, "6.6.6.6")]);
    expect(await byPort()).toMatchObject({
      24000: ["7.7.7.7", "6.6.6.6", "1.2.3.4", "10.1.2.3/24"],
      24001: ["7.7.7.7", "6.6.6.6", "8.8.0.9/16"],
    });
    expect(await own(["9.9.9.9"])).toEqual(["7.7.7.7", "6.6.6.6", "9.9.9.9"]);
    expect(await own([])).toEqual(["7.7.7.7", "6.6.6.6"]);
    expect(await own()).toEqual(["7.7.7.7", "6.6.6.6"]);
    expect(await own(["7.7.7.7", "9.9.9.9"])).toEqual(["7.7.7.7", "6.6.6.6", "9.9.9.9"]);
    // The port had 7.7.7.7 of its own; it loses it with the default.
    await withToken(harness, [[`DELETE ${path}`, { ip: "7.7.7.7" }, 200, "OK"]]);
    expect(await byPort()).toMatchObject({ 24001: ["6.6.6.6", "9.9.9.9"] });
    expect((await call("GET /api/proxies_running")).body).toMatchObject([
      {},
      { whitelist_ips: ["6.6.6.6", "9.9.9.9"] },
    ]);
  });
});

const change = async (harness: Harness, body: object): Promise<unknown> => {
  const answer = await harness.call("PUT /api/settings", body);
  expect(answer.status).toBe(200);
  return harness.settingsLists();
};

test("the settings check and normalise the ports' list, and not the API's", async () => {
  const harness = await start();
  expect(await change(harness, { whitelist_ips: ["4.4.4.4", "10.9.8.7/8", "bad", "127.0.0.1"] })).toEqual(
    lists([], ["4.4.4.4", "10.0.0.0/8"]),
  );
  const www = ["3.3.3.3", "10.9.8.7/8", "bad"];
  expect(await change(harness, { www_whitelist_ips: www })).toEqual(lists(www, ["4.4.4.4", "10.0.0.0/8"]));
  expect(await harness.lists()).toMatchObject({
    24000: [...www, "4.4.4.4", "10.0.0.0/8", "1.2.3.4", "10.1.2.3/24"],
  });
  expect(await change(harness, { www_whitelist_ips: [], whitelist_ips: [] })).toEqual(lists([], []));
  expect(await harness.lists()).toEqual({ 22225: [], 24000: ["1.2.3.4", "10.1.2.3/24"], 24001: [] });
  expect(await change(harness, { whitelist_ips: ["bad"] })).toEqual(lists([], []));
});

test("the settings take null and a text as lists, and fail for what is no list", async () => {
  const harness = await start();
  expect(await change(harness, { www_whitelist_ips: "5.5.5.5" })).toEqual(lists(["5", "."], []));
  expect(await change(harness, { www_whitelist_ips: [""], whitelist_ips: [""] })).toEqual(lists([], []));
  expect(await change(harness, { www_whitelist_ips: null })).toEqual(lists([], []));
  const crash = (what: string): string =>
    `Server error: ${what} is not iterable (cannot read property Symbol(Symbol.iterator))`;
  await harness.replay([
    ["PUT /api/settings", { www_whitelist_ips: 5 }, 500, crash("number 5")],
    ["PUT /api/settings", { whitelist_ips: {} }, 500, crash("object")],
  ]);
});

test("addresses of the command line stay on the lists", async () => {
  const harness = await start({ whitelistIps: ["9.8.7.6"] });
  expect(await harness.lists()).toMatchObject({ 24001: ["9.8.7.6"] });
  expect(await change(harness, { www_whitelist_ips: [], whitelist_ips: [] })).toEqual({
    www_whitelist_ips: [],
    whitelist_ips: [],
    fixed_whitelist_ips: ["9.8.7.6"],
  });
  expect(await harness.lists()).toMatchObject({ 24000: ["9.8.7.6", "1.2.3.4", "10.1.2.3/24"] });
});
