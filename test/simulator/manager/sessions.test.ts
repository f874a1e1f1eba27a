import { expect, test } from "vitest";
import { startManager } from "./harness";

test("a session has a number, unless the port rotates it by itself", async () => {
  const { replay, data, call } = await startManager();
  await data("POST /api/proxies", { port: 24001 }, []);
  await data("POST /api/proxies", { port: 24002, rotate_session: true }, []);
  await replay([
    ["POST /api/refresh_sessions/24001", undefined, 200, { session_id: "24001_1" }],
    ["GET /api/refresh_sessions/24001", undefined, 200, { session_id: "24001_2" }],
    ["POST /api/v2/refresh_sessions/24001", undefined, 200, { session_id: "24001_3" }],
    ["POST /api/refresh_sessions/24002", undefined, 204, null],
    ["POST /api/refresh_sessions/24999", undefined, 400, null],
    ["POST /api/refresh_sessions/24001?user=somebody", undefined, 400, null],
    ["GET /api/sessions/24001", undefined, 200, {}],
    ["GET /api/sessions/24999", undefined, 400, "server does not exist"],
  ]);
  expect((await call("GET /api/v2/refresh_sessions/24001")).headers["content-type"]).toBe("text/html; charset=UTF-8");
});

test("the state of a port is remembered until it is asked for by force", async () => {
  const { replay, data, manager, call } = await startManager();
  await data("POST /api/proxies", { port: 24001, zone: "dc" }, []);
  const ok = { status: "ok", status_details: [] };
  const refused = "connection refused (may have been caused due to firewall settings)";
  await replay([["GET /api/proxy_status/24001", undefined, 200, ok]]);
  const port = manager.state.running.get("24001");
  if (port === undefined) throw new Error("There is no port 24001.");
  port.health = refused;
  await replay([
    ["GET /api/proxy_status/24001", undefined, 200, ok],
    ["GET /api/proxy_status/24001?force=false", undefined, 200, ok],
    ["GET /api/proxy_status/24001?force=true", undefined, 200, { status: refused, status_details: [] }],
  ]);
  expect((await call("GET /api/proxies_running")).body).toMatchObject([{ status: refused, status_details: [] }]);
});

test("the state of a port says whether it is known, stuck, for mail or of a wrong or disabled zone", async () => {
  const { replay, data, call } = await startManager();
  await data("POST /api/proxies", { port: 24001, zone: "off" }, []);
  await data("POST /api/proxies", { port: 24002, zone: "nosuchzone" }, []);
  await data("POST /api/proxies", { port: 24003, zone: "dc", smtp: ["10.0.0.1:25"] }, []);
  await data("POST /api/proxies", { port: 24004, zone: "dc" }, []);
  await call("POST /api/proxies/delete", { ports: [24999, 24004] });
  const zone = { msg: "the provided zone name is not valid.", field: "zone" };
  await replay([
    ["GET /api/proxy_status/24999", undefined, 200, { status: "Unknown proxy" }],
    ["GET /api/proxy_status/22225", undefined, 200, { status: "ok" }],
    ["GET /api/proxy_status/24001", undefined, 200, { status: "Disabled zone" }],
    [
      "GET /api/proxy_status/24002",
      undefined,
      200,
      { status: "Proxy Authentication Required", status_details: [zone] },
    ],
    ["GET /api/proxy_status/24003", undefined, 200, { status: "ok", status_details: [{ msg: "SMTP proxy" }] }],
    ["GET /api/proxy_status/24004", undefined, 200, { status: "error", status_details: [] }],
  ]);
});

test("addresses for other programs hold the port's user and the options asked for", async () => {
  const { replay, data, manager } = await startManager();
  manager.state.users = [{ email: "a@b.c", password: "secret" }];
  await data("POST /api/proxies", { port: 24001 }, []);
  await data("POST /api/proxies", { port: 24002, user: "a@b.c" }, []);
  const user = (text: string): string => Buffer.from(text).toString("hex");
  await replay([
    ["GET /api/generate_proxies/24001", undefined, 400, "No user assigned to port"],
    ["GET /api/generate_proxies/24999", undefined, 400, "Invalid port number"],
    ["GET /api/generate_proxies/24002", undefined, 200, [`127.0.0.1:24002:${user("a@b.c")}:secret`]],
    [
      "GET /api/generate_proxies/24002?country=US",
      undefined,
      200,
      [`127.0.0.1:24002:${user("a@b.c-country-us")}:secret`],
    ],
  ]);
});

test("as many sessions are made as asked for, all different", async () => {
  const { call, data } = await startManager();
  await data("POST /api/proxies", { port: 24002, user: "a" }, []);
  const { body } = await call("GET /api/generate_proxies/24002?sessions=3");
  expect(new Set(body as string[]).size).toBe(3);
});
