import { describe, expect, test } from "vitest";
import { errors, goesUnanswered, startManager } from "./harness";

const DROPIN = {
  port: 22225,
  listen_port: 22225,
  zone: "static",
  test_url: "http://geo.brdtest.com/mygeo.json",
  account_id: "c_test1",
  customer: "hl_test1",
  customer_id: "hl_test1",
  password: "pass_static",
  gb_cost: 12,
  mobile: false,
  unblock: false,
  whitelist_ips: [],
};
// Put into a record by its first update.
const UPDATED = {
  static: true,
  mobile: false,
  unblock: false,
  super_proxy_ports: [],
  av_server_url: "127.0.0.1:1343",
};
const INVALID_PORT = errors("Invalid port. It must be a number >= 1000", "port");
const INVALID_ZONE = errors("the provided zone name is not valid.", "zone");

const numbers = (body: unknown): number[] => (body as { port: number }[]).map(({ port }) => port);

test("a record is what was sent and what the manager puts in", async () => {
  const harness = await startManager();
  await harness.replay([
    ["GET /api/proxies", undefined, 200, [DROPIN]],
    ["GET /api/proxies_running", undefined, 200, []],
  ]);
  const sent = {
    port: 24000,
    zone: "static",
    proxy_type: "persist",
    customer: "hl_mine",
    password: "my_pw",
    whitelist_ips: ["1.2.3.4", "10.1.2.3/24", "10.1.2.3/24"],
  };
  const record = { ...sent, password: "pass_static", whitelist_ips: ["1.2.3.4", "10.1.2.3/24"], gb_cost: 12 };
  await harness.call("POST /api/proxies", { proxy: sent });
  await harness.replay([
    ["GET /api/proxies/24000", undefined, 200, record],
    ["GET /api/v2/proxies/24000", undefined, 200, record],
    ["GET /api/proxies/24000/", undefined, 200, record],
    ["GET /api/proxies", undefined, 200, [DROPIN, record]],
    [
      "GET /api/proxies_running",
      undefined,
      200,
      [{ ...record, dns: "local", tls_lib: "open_ssl", route_err: "pass_dyn", proxy_connection_type: "http" }],
    ],
  ]);
});

test("a create answers with the whole running configuration, every secret of the manager in it", async () => {
  const { call, manager } = await startManager();
  await call("GET /api/gen_token");
  const { body } = await call("POST /api/proxies", { proxy: { port: 24000, zone: "dc" } });
  const { data } = body as { data: Record<string, unknown> };
  expect(Object.keys(data).length).toBeGreaterThan(85);
  expect(data).toMatchObject({
    port: 24000,
    zone: "dc",
    password: "pass_dc",
    customer: "hl_test1",
    token_auth: manager.state.settings.token_auth,
    lpm_token: manager.state.settings.lpm_token,
    zones: { static: { password: ["pass_static"] }, off: { password: ["pass_off"] } },
    multiply: 0,
    max_ban_retries: 10,
  });
});

test("a create checks only the number", async () => {
  const harness = await startManager();
  harness.manager.state.portsInUse.add(24050);
  await harness.call("POST /api/proxies", { proxy: { port: 24000 } });
  const refused: [unknown, object][] = [
    [24000, errors("port 24000 in use by another proxy", "port")],
    [22999, errors("port 22999 in use by the UI/API and UI/WebSocket", "port")],
    [22225, errors("port 22225 in use by another proxy", "port")],
    [24050, errors("port 24050 in use by another app", "port")],
    [80, INVALID_PORT],
    ["abc", INVALID_PORT],
    [70000, errors("port options.port should be >= 0 and < 65536. Received type number (70000).", "port")],
    [24001.5, errors("port options.port should be >= 0 and < 65536. Received type number (24001.5).", "port")],
  ];
  await harness.replay(
    refused.map(([port, answer]) => ["POST /api/proxies", { proxy: { port, zone: "static" } }, 400, answer]),
  );
  const fields = ["port", "zone", "password"];
  const at = "POST /api/proxies";
  expect(await harness.data(at, { port: 24030, zone: "nosuchzone" }, fields)).toEqual({
    port: 24030,
    zone: "nosuchzone",
    password: "pass_static",
  });
  expect(await harness.data(at, { port: 24031, zone: "off" }, fields)).toEqual({
    port: 24031,
    zone: "off",
    password: "pass_off",
  });
  expect(await harness.data(at, { port: 24033, zone: "x".repeat(301) }, ["port"])).toEqual({ port: 24033 });
  const ips = ["not-an-ip", "300.1.1.1"];
  expect(await harness.data(at, { port: 24034, whitelist_ips: ips }, ["whitelist_ips"])).toEqual({
    whitelist_ips: ips,
  });
  expect(await harness.data(at, { port: 24036, whitelist_ips: "1.2.3.4" }, ["whitelist_ips"])).toEqual({
    whitelist_ips: ["1.2.3.4"],
  });
});

test("a create keeps values as sent, and integers are numbers only in the running copy", async () => {
  const harness = await startManager();
  const sent = {
    port: "24032",
    zone: "static",
    bogus_field: "x",
    sticky_ip: "yes",
    ssl: "true",
    pool_size: "3",
    throttle: "5",
    session: "",
    city: null,
  };
  const fields = ["port", "bogus_field", "sticky_ip", "ssl", "pool_size", "throttle", "session"];
  expect(await harness.data("POST /api/proxies", sent, fields)).toEqual({
    port: 24032,
    bogus_field: "x",
    sticky_ip: "yes",
    ssl: "true",
    pool_size: 3,
    throttle: 5,
    session: true,
  });
  await harness.replay([
    [
      "GET /api/proxies/24032",
      undefined,
      200,
      {
        port: 24032,
        zone: "static",
        bogus_field: "x",
        sticky_ip: "yes",
        ssl: "true",
        pool_size: "3",
        throttle: "5",
        proxy_type: "persist",
        password: "pass_static",
        gb_cost: 12,
        whitelist_ips: [],
      },
    ],
  ]);
});

test("a key that the manager does not know is kept, by updates, by copies and by a restart", async () => {
  const { call, data, manager } = await startManager({ dropin: false });
  const marks = () => manager.state.records.map(({ port, made_by }) => [port, made_by]);
  expect(await data("POST /api/proxies", { port: 24001, made_by: "me" }, ["made_by"])).toEqual({ made_by: "me" });
  await data("PUT /api/proxies/24001", { zone: "static", country: "us" }, []);
  await data("PUT /api/proxies/24001", { zone: "static", port: 24002, multiply: 2 }, []);
  await call("POST /api/proxy_dup", { port: 24002 });
  await call("POST /api/restart");
  await manager.settled();
  expect(marks()).toEqual([
    [24002, "me"],
    [24004, "me"],
  ]);
  expect((await call("GET /api/proxies/24002")).body).toMatchObject({ made_by: "me" });
});

test("a port without a number gets the one after the highest", async () => {
  const { data, manager } = await startManager();
  const at = "POST /api/proxies";
  const created: unknown[] = [];
  for (const port of [undefined, 0, null, 24500, undefined]) created.push(await data(at, { port }, ["port"]));
  expect(created).toEqual([24000, 24001, 24002, 24500, 24501].map((port) => ({ port })));
  expect(manager.state.running.size).toBe(6);
});

test("a port of another type runs, but is not configured", async () => {
  const harness = await startManager();
  await harness.call("POST /api/proxies", { proxy: { port: 24037, zone: "static", proxy_type: "temp" } });
  expect(numbers((await harness.call("GET /api/proxies_running")).body)).toEqual([24037]);
  await harness.replay([
    ["GET /api/proxies/24037", undefined, 400, "invalid port number"],
    ["PUT /api/proxies/24037", { proxy: { country: "us" } }, 400, errors("No proxy at port 24037")],
    ["DELETE /api/proxies/24037", undefined, 204, null],
  ]);
});

test("a body that is no port fails", async () => {
  const { replay } = await startManager();
  const crash = (what: string): string => `Server error: Cannot read properties of ${what} (reading 'port')`;
  const text = { "content-type": "text/plain" };
  await replay([
    ["POST /api/proxies", {}, 500, crash("undefined")],
    ["POST /api/proxies", undefined, 500, crash("undefined")],
    ["POST /api/proxies", { proxy: null }, 500, crash("null")],
    ["POST /api/proxies", '{"proxy": {"port": 24020}}', 500, crash("undefined"), text],
    ["POST /api/proxies", "{bad json", 500, "Server Error"],
    ["POST /api/proxies", "5", 500, "Server Error"],
    ["POST /api/proxies", { proxy: "x" }, 400, errors("Cannot create property 'port' on string 'x'", "port")],
    ["POST /api/proxies", { proxy: { users: "a" } }, 500, "Server error: req.body.proxy.users.map is not a function"],
    ["POST /api/proxies", { proxy: { users: [1] } }, 500, "Server error: x.toLowerCase is not a function"],
    ["POST /api/proxies", { proxy: { rules: ["x".repeat(2.1e6)] } }, 500, "Server Error"],
  ]);
});

test("a create writes users in lower case", async () => {
  const { data } = await startManager();
  expect(await data("POST /api/proxies", { users: ["A@B.C"] }, ["users"])).toEqual({ users: ["a@b.c"] });
});

test("an array makes one nonsensical port", async () => {
  const { data } = await startManager();
  const proxy = [{ port: 26100 }, { port: 26101 }];
  expect(await data("POST /api/proxies", proxy, ["port", "0", "1"])).toEqual({
    port: 24000,
    0: { port: 26100 },
    1: { port: 26101 },
  });
});

test("the number of ports is limited, the drop-in port included", async () => {
  const { replay, call } = await startManager({ portsLimit: 3 });
  const limit = errors("number of many proxy ports exceeding the limit: 3");
  await call("POST /api/proxies", { proxy: { port: 24000 } });
  await call("POST /api/proxies", { proxy: {} });
  await replay([
    ["POST /api/proxies", { proxy: { port: 24009 } }, 400, limit],
    ["PUT /api/proxies/24000", { proxy: { multiply: 2, port: 25000 } }, 400, limit],
    ["POST /api/proxies", { proxy: { port: 25000 } }, 400, limit],
  ]);
  expect(numbers((await call("GET /api/proxies")).body)).toEqual([22225, 24001, 24000]);
});

test("parallel creates of one number leave exactly one port", async () => {
  const { call } = await startManager();
  const answers = await Promise.all(
    ["us", "gb", "de", "fr"].map((country) => call("POST /api/proxies", { proxy: { port: 24500, country } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  const automatic = await Promise.all(Array.from({ length: 6 }, () => call("POST /api/proxies", { proxy: {} })));
  const made = automatic.map(({ body }) => (body as { data: { port: number } }).data.port).sort();
  expect(made).toEqual([24501, 24502, 24503, 24504, 24505, 24506]);
});

describe("update", () => {
  const record = {
    port: 24000,
    zone: "static",
    proxy_type: "persist",
    customer: "hl_mine",
    password: "pass_static",
    whitelist_ips: ["1.2.3.4"],
    gb_cost: 12,
    ...UPDATED,
  };
  const start = async () => {
    const harness = await startManager();
    const { zone, customer, whitelist_ips } = record;
    await harness.call("POST /api/proxies", { proxy: { port: 24000, zone, customer, whitelist_ips } });
    return harness;
  };
  const at = "PUT /api/proxies/24000";

  test("an update merges, in place", async () => {
    const { data, replay } = await start();
    const change = { country: "us", session: "abc", rotate_session: true };
    const fields = ["port", "zone", "country", "session", "rotate_session", "password", "customer"];
    for (const _ of ["first", "again"]) {
      expect(await data(at, change, fields)).toEqual({
        port: 24000,
        zone: "static",
        ...change,
        password: "pass_static",
        customer: "hl_mine",
      });
      await replay([["GET /api/proxies/24000", undefined, 200, { ...record, ...change }]]);
    }
    await data(at, { country: "" }, []);
    await replay([["GET /api/proxies/24000", undefined, 200, { ...record, ...change, country: "" }]]);
    await data(at, {}, []);
    await replay([["GET /api/proxies/24000", undefined, 200, { ...record, ...change, country: "" }]]);
  });

  test("an update gives values the type of their field, null too", async () => {
    const { data } = await start();
    const change = {
      session: null,
      sticky_ip: "true",
      ssl: "false",
      pool_size: "7",
      throttle: "x5",
      country: 5,
      vip: "12",
      insecure: null,
      proxy_retry: null,
      headers: "notarray",
      whitelist_ips: null,
      bogus: null,
    };
    expect(await data(at, change, Object.keys(change))).toEqual({
      session: "null",
      sticky_ip: true,
      ssl: false,
      pool_size: 7,
      throttle: null,
      country: "5",
      vip: 12,
      insecure: false,
      proxy_retry: 0,
      headers: "notarray",
      whitelist_ips: ["1.2.3.4"],
      bogus: null,
    });
  });

  test("the password is the account's for the zone, whatever is sent", async () => {
    const { data } = await start();
    const fields = ["zone", "password", "customer", "customer_id"];
    expect(await data(at, { zone: "dc" }, fields)).toMatchObject({ zone: "dc", password: "pass_dc" });
    expect(await data(at, { password: "mine" }, fields)).toMatchObject({ password: "pass_dc" });
    expect(await data(at, { customer: "hl_other" }, fields)).toMatchObject({
      customer: "hl_other",
      customer_id: "hl_test1",
    });
  });

  test("an update checks the record with the change", async () => {
    const { replay, call } = await start();
    await call("POST /api/proxies", { proxy: { port: 24001 } });
    await call("POST /api/proxies", { proxy: { port: 24030, zone: "nosuchzone" } });
    const tooLong = errors("Maximum string length exceeded", "country");
    const us = { proxy: { country: "us" } };
    await replay([
      [at, { proxy: { zone: "nosuchzone" } }, 400, INVALID_ZONE],
      [at, { proxy: { zone: "" } }, 400, INVALID_ZONE],
      [at, { proxy: { zone: "off" } }, 400, errors("zone disabled", "zone")],
      ["PUT /api/proxies/24030", us, 400, INVALID_ZONE],
      [at, { proxy: { country: "x".repeat(301) } }, 400, tooLong],
      [at, { proxy: { port: 24001 } }, 400, errors("port 24001 in use by another proxy", "port")],
      [at, { proxy: { port: 99 } }, 400, INVALID_PORT],
      [at, { proxy: { port: "" } }, 400, INVALID_PORT],
      [at, { proxy: { multiply: 3 } }, 400, errors("port 24001 in use by another proxy", "port")],
      ["PUT /api/proxies/24999", us, 400, errors("No proxy at port 24999")],
      ["PUT /api/proxies/abc", us, 400, errors("No proxy at port abc")],
      ["PUT /api/proxies/22225", us, 400, errors("Proxy is read-only")],
      [at, {}, 400, { errors: [{ msg: "Request body should contain 'proxy' field", body: "{}" }] }],
      [
        at,
        { proxy: { bw_limit: { days: 0, bytes: "x", start: "bad", use_limit_webhook: 1, th_webhook_value: 100 } } },
        400,
        {
          errors: [
            "bytes should be positive number no greater than 9007199254740991",
            "days should be positive number no greater than 100000",
            "start should be date",
            "use_limit_webhook should be true or false",
            "th_webhook_value should be a number between 0 and 99",
          ].map((text) => ({ msg: `Invalid BW limit params, ${text}`, field: "bw_limit" })),
        },
      ],
    ]);
  });

  test("a port without a zone loses the default one from its running copy", async () => {
    const { data, replay, call } = await startManager();
    expect(await data("POST /api/proxies", { port: 24003 }, ["zone", "password"])).toEqual({
      zone: "static",
      password: "pass_static",
    });
    expect(await data("PUT /api/proxies/24003", { country: "us" }, ["zone", "country"])).toEqual({ country: "us" });
    await replay([
      [
        "GET /api/proxies/24003",
        undefined,
        200,
        {
          port: 24003,
          proxy_type: "persist",
          password: "pass_static",
          gb_cost: 12,
          whitelist_ips: [],
          country: "us",
          ...UPDATED,
        },
      ],
    ]);
    expect((await call("GET /api/proxies_running")).body).toEqual([expect.not.objectContaining({ zone: "static" })]);
  });

  test("a new number makes the port anew, bans and fields kept, empty values and the session count lost", async () => {
    const { data, replay, call } = await start();
    await data(at, { country: "", throttle: "x", rules: [] }, []);
    await call("POST /api/proxies/24000/banip", { ip: "1.1.1.1" });
    await call("POST /api/refresh_sessions/24000");
    expect(await data(at, { port: 24100 }, ["port", "zone"])).toEqual({ port: 24100, zone: "static" });
    await replay([
      ["GET /api/proxies/24000", undefined, 400, "invalid port number"],
      [
        "GET /api/proxies/24100",
        undefined,
        200,
        { ...record, port: 24100, rules: [], banlist: { cache: {}, max: null } },
      ],
      ["GET /api/banlist/24100", undefined, 200, { ips: ["1.1.1.1"] }],
      ["POST /api/refresh_sessions/24100", undefined, 200, { session_id: "24100_1" }],
    ]);
  });

  test("some changes make the port anew", async () => {
    const { data, manager } = await start();
    const recreates = async (change: object): Promise<boolean> => {
      const before = manager.state.running.get("24000");
      await data(at, change, []);
      return before !== manager.state.running.get("24000");
    };
    const results: [object, boolean][] = [
      [{ country: "us", zone: "dc", ssl: true, iface: "127.0.0.5", whitelist_ips: ["1.1.1.1"] }, false],
      [{ port: 24000 }, false],
      [{ multiply: 0 }, true],
      [{ multiply: 0 }, false],
      [{ multiply: 1 }, true],
      [{ multiply_users: false }, true],
      [{ users: [] }, true],
      [{ users: [] }, false],
      [{ ips: ["10.0.0.1"] }, true],
      [{ country: "us" }, true],
      [{ country: "us", ips: ["10.0.0.1"] }, false],
      [{ ips: [] }, true],
      [{ country: "us" }, false],
      [{ vips: ["v1"] }, true],
      [{ country: "us" }, true],
      [{ vips: [] }, true],
    ];
    for (const [change, expected] of results) expect(await recreates(change), JSON.stringify(change)).toBe(expected);
  });

  test("ips survive a body without them", async () => {
    const { data } = await start();
    await data(at, { ips: ["10.0.0.1"] }, []);
    expect(await data(at, { country: "us" }, ["ips"])).toEqual({ ips: ["10.0.0.1"] });
  });

  test("IPs that are no list make the port anew too", async () => {
    const { data } = await start();
    const banlist = { cache: {}, max: null };
    expect(await data(at, { ips: "1.1.1.1" }, ["ips", "banlist"])).toEqual({ ips: "1.1.1.1", banlist });
  });

  test("a number that is none ends the port, and is never answered", async () => {
    const harness = await start();
    expect(await goesUnanswered(harness, at, { proxy: { port: "abc" } })).toBe(true);
    await harness.replay([["GET /api/proxies/24000", undefined, 400, "invalid port number"]]);
  });

  test("rendering ends with a zone that cannot", async () => {
    const { data } = await start();
    expect(await data(at, { render: true }, ["render"])).toEqual({ render: false });
    expect(await data(at, { render: true, zone: "unb" }, ["render", "unblock"])).toEqual({
      render: true,
      unblock: true,
    });
    expect(await data(at, { zone: "static" }, ["render"])).toEqual({ render: false });
  });

  test("a bandwidth limit is kept with its defaults", async () => {
    const { data } = await start();
    const bw_limit = { days: 3, bytes: 1000, colour: "red" };
    expect(await data(at, { bw_limit }, ["bw_limit"])).toEqual({
      bw_limit: { days: 3, bytes: 1000, renewable: false, start: "2026-11-20T08:42:54.000Z" },
    });
  });

  test("a bandwidth limit that is no object fails", async () => {
    const { replay } = await start();
    const crash = (value: unknown): string =>
      `Server error: Cannot use 'in' operator to search for 'use_limit_webhook' in ${value}`;
    await replay([5, "x", true].map((value) => [at, { proxy: { bw_limit: value } }, 500, crash(value)]));
  });

  test("debug may follow the default, which is then not in the record", async () => {
    const { data, call } = await start();
    expect(await data(at, { debug: "default-full" }, ["debug"])).toEqual({ debug: "full" });
    expect((await call("GET /api/proxies/24000")).body).not.toHaveProperty("debug");
  });
});

describe("delete", () => {
  const start = async (...ports: number[]) => {
    const harness = await startManager();
    for (const port of ports) await harness.call("POST /api/proxies", { proxy: { port, zone: "static" } });
    return { ...harness, listed: async () => numbers((await harness.call("GET /api/proxies")).body) };
  };
  const MISSING = "Server error: this proxy does not exist";
  const DELETING = "Server error: this proxy is already being stopped and deleted";

  test("one port is deleted", async () => {
    const { replay } = await start(24000);
    await replay([
      ["DELETE /api/proxies/24000", undefined, 204, null],
      ["DELETE /api/proxies/24000", undefined, 500, MISSING],
      ["DELETE /api/proxies/abc", undefined, 500, MISSING],
      ["GET /api/proxies/24000", undefined, 400, "invalid port number"],
    ]);
  });

  test("several ports are deleted in one call", async () => {
    const { replay, listed } = await start(24001, 24002, 24007, 24008);
    const at = "POST /api/proxies/delete";
    await replay([
      [at, { ports: [24001, 24002] }, 204, null],
      [at, { ports: [24001] }, 500, MISSING],
      [at, { ports: ["24007"] }, 204, null],
      [at, { ports: [] }, 204, null],
      [at, {}, 204, null],
      [at, undefined, 204, null],
      [at, { ports: 24008 }, 500, "Server error: ports.forEach is not a function"],
      ["POST /api/v2/proxies/delete", { ports: [24008] }, 204, null],
    ]);
    expect(await listed()).toEqual([22225]);
  });

  test("of several deletions at once, one deletes and the others come too late", async () => {
    const { call, listed } = await start(24001);
    const answers = await Promise.all(Array.from({ length: 4 }, () => call("DELETE /api/proxies/24001")));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 500, 500, 500]);
    // On a busy machine, the others may arrive when it is gone.
    const refusals = answers.filter(({ status }) => status === 500).map(({ body }) => body);
    expect([DELETING, MISSING]).toEqual(expect.arrayContaining(refusals));
    expect(await listed()).toEqual([22225]);
  });

  test("a list that is empty deletes nothing", async () => {
    const { replay, listed } = await start(24001);
    const before = await listed();
    await replay([0, false, null, ""].map((ports) => ["POST /api/proxies/delete", { ports }, 204, null]));
    expect(await listed()).toEqual(before);
  });

  test("the drop-in port goes, but stays listed", async () => {
    const { replay, listed } = await start(24000);
    await replay([
      ["DELETE /api/proxies/22225", undefined, 204, null],
      ["DELETE /api/proxies/22225", undefined, 500, MISSING],
    ]);
    expect(await listed()).toEqual([22225, 24000]);
  });

  test("an unknown port in a list leaves the ports after it stuck, until a restart brings them back", async () => {
    const { replay, listed, manager, data } = await start(24003, 24004, 24005, 24006);
    const at = "POST /api/proxies/delete";
    await replay([[at, { ports: [24003, 24999, 24004] }, 500, MISSING]]);
    expect(await listed()).toEqual([22225, 24004, 24005, 24006]);
    await replay([[at, { ports: [24999, 24005] }, 500, MISSING]]);
    expect(await listed()).toEqual([22225, 24004, 24005, 24006]);
    await replay([[at, { ports: [24006, 24006] }, 500, DELETING]]);
    expect(await listed()).toEqual([22225, 24004, 24005]);
    await replay([
      ["DELETE /api/proxies/24004", undefined, 500, DELETING],
      ["POST /api/proxies", { proxy: { port: 24004 } }, 400, errors("port 24004 in use by another proxy", "port")],
      ["PUT /api/proxies/24004", { proxy: { port: 24044 } }, 500, DELETING],
    ]);
    expect(await data("PUT /api/proxies/24004", { country: "us" }, ["country"])).toEqual({ country: "us" });
    await replay([["POST /api/restart", undefined, 200, { result: "ok" }]]);
    await manager.settled();
    expect(await listed()).toEqual([24004, 24005, 22225]);
    await replay([["DELETE /api/proxies/24004", undefined, 204, null]]);
  });

  test("an unknown port in last place harms no other", async () => {
    const { replay, listed } = await start(24003, 24004);
    await replay([["POST /api/proxies/delete", { ports: [24003, 24004, 24999] }, 500, MISSING]]);
    expect(await listed()).toEqual([22225]);
  });
});

test("one record with multiply runs as several ports", async () => {
  const { call, replay, data } = await startManager();
  const running = async () => numbers((await call("GET /api/proxies_running")).body);
  await data("POST /api/proxies", { port: 25000, zone: "static", multiply: 3, whitelist_ips: ["1.1.1.1"] }, []);
  expect(numbers((await call("GET /api/proxies")).body)).toEqual([22225, 25000]);
  const [, second] = (await call("GET /api/proxies_running")).body as object[];
  expect(second).toMatchObject({ port: 25001, proxy_type: "duplicate", master_port: 25000, multiply: 3 });
  expect(second).not.toHaveProperty("whitelist_ips");
  const inUse = (port: number): object => errors(`port ${port} in use by another proxy`, "port");
  await replay([
    ["GET /api/proxies/25001", undefined, 400, "invalid port number"],
    ["PUT /api/proxies/25001", { proxy: { country: "us" } }, 400, errors("No proxy at port 25001")],
    ["DELETE /api/proxies/25001", undefined, 500, "Server error: cannot delete this port"],
    ["POST /api/proxies", { proxy: { port: 25002, zone: "static" } }, 400, inUse(25002)],
    ["POST /api/proxies", { proxy: { port: 24999, multiply: 3 } }, 400, inUse(25000)],
  ]);
  await data("PUT /api/proxies/25000", { multiply: 5 }, []);
  expect(await running()).toEqual([25000, 25001, 25002, 25003, 25004]);
  await data("PUT /api/proxies/25000", { dns: "remote" }, []);
  expect((await call("GET /api/proxies_running")).body).toEqual(
    Array.from({ length: 5 }, () => expect.objectContaining({ dns: "remote" })),
  );
  await data("PUT /api/proxies/25000", { multiply: 1 }, []);
  expect(await running()).toEqual([25000]);
  await call("DELETE /api/proxies/25000");
  expect(await running()).toEqual([]);
});

test("a multiply that is a text is appended to the number, which may then pass the manager's own", async () => {
  const { call, replay, manager } = await startManager({ www: 30_000, dropin: false });
  const body = { proxy: { port: 25000, multiply: "2" } };
  await replay([["POST /api/proxies", body, 400, errors("Proxy port conflict UI port")]]);
  expect((await call("POST /api/proxies", { proxy: { port: 30_001, multiply: "2" } })).status).toBe(200);
  expect([...manager.state.running.keys()]).toEqual(["30001", "30002"]);
});

test("each of the multiplied ports gets an IP or a user of the record", async () => {
  const { call, data } = await startManager();
  const ips = ["1.1.1.1", "2.2.2.2"];
  await data("POST /api/proxies", { port: 25010, multiply: 2, multiply_ips: true, ips }, []);
  await data("POST /api/proxies", { port: 25020, multiply: 3, multiply_users: true, users: ["a", "b"] }, []);
  const running = (await call("GET /api/proxies_running")).body as Record<string, unknown>[];
  expect(running.map(({ port, ip, user }) => ({ port, ip, user }))).toEqual([
    { port: 25010, ip: "1.1.1.1" },
    { port: 25011, ip: "2.2.2.2" },
    { port: 25020, user: "a" },
    { port: 25021, user: "b" },
    { port: 25022, user: "a" },
  ]);
  expect(numbers((await call("GET /api/proxies_running?user=b")).body)).toEqual([25021]);
});

test("a copy of a port gets the next number", async () => {
  const { data, replay } = await startManager();
  await data("POST /api/proxies", { port: 24001, zone: "dc", country: "us" }, []);
  const missing = errors("Cannot set properties of undefined (setting 'port')", "port");
  const proxy = {
    port: 24002,
    zone: "dc",
    country: "us",
    proxy_type: "persist",
    password: "pass_dc",
    gb_cost: 12,
    whitelist_ips: [],
  };
  await replay([
    ["POST /api/proxy_dup", { port: 24001 }, 200, { proxy }],
    ["POST /api/proxy_dup", { port: 24999 }, 400, missing],
    ["GET /api/proxies/24002", undefined, 200, proxy],
  ]);
});

test("SSL analysing is enabled for one port or for all but the drop-in port", async () => {
  const { data, replay, manager } = await startManager();
  for (const port of [24001, 24002]) await data("POST /api/proxies", { port, zone: "dc" }, []);
  const ssl = (): unknown[] => manager.state.records.map((record) => record.ssl);
  await replay([
    ["POST /api/enable_ssl", { port: 24999 }, 200, "ok"],
    ["POST /api/enable_ssl", { port: 24001 }, 200, "ok"],
  ]);
  expect(ssl()).toEqual([undefined, true, undefined]);
  await replay([["POST /api/enable_ssl", undefined, 200, "ok"]]);
  expect(ssl()).toEqual([undefined, true, true]);
});

test.each(["debug", "lpm_auth"])("SSL on a port whose %s is a setting is never answered, or fails", async (field) => {
  for (const hangs of [false, true]) {
    const harness = await startManager({ hangs });
    await harness.data("POST /api/proxies", { port: 24001, [field]: "default-none" }, []);
    if (hangs) expect(await goesUnanswered(harness, "POST /api/enable_ssl", { port: 24001 })).toBe(true);
    else expect((await harness.call("POST /api/enable_ssl", { port: 24001 })).status).toBe(500);
  }
});
