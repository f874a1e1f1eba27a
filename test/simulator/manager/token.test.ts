import { expect, test } from "vitest";
import { cannot, startManager } from "./harness";

const V1 = { deprecation: "true", sunset: "01-Nov-23 23:59:59" };
const LIMIT = "You have exceeded the 5 requests in 60 minutes limit.";

test("each call makes a new token, five times an hour for each way of calling", async () => {
  const { call, replay, manager } = await startManager();
  const tokens = new Set<string>();
  for (let remaining = 4; remaining >= 0; remaining--) {
    const { status, body, headers } = await call("GET /api/gen_token");
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.stringMatching(/^\w{14}$/) });
    expect(headers).toMatchObject({
      ...V1,
      "ratelimit-policy": "5;w=3600",
      ratelimit: `limit=5, remaining=${remaining}, reset=3600`,
    });
    tokens.add((body as { token: string }).token);
  }
  expect(tokens.size).toBe(5);
  for (const _ of ["sixth", "seventh"]) {
    const { status, body, headers } = await call("GET /api/gen_token");
    expect({ status, body }).toEqual({ status: 429, body: LIMIT });
    expect(headers).toMatchObject({
      ...V1,
      "content-type": "text/html; charset=utf-8",
      ratelimit: "limit=5, remaining=0, reset=3600",
      "retry-after": "3600",
    });
  }
  const second = await call("POST /api/v2/gen_token");
  expect(second.headers).toMatchObject({ ratelimit: "limit=5, remaining=4, reset=3600" });
  expect(second.headers).not.toHaveProperty("deprecation");
  expect((await call("GET /api/gen_token?x=1")).body).toEqual({ token: manager.state.settings.token_auth });
  await replay([["POST /api/gen_token", undefined, 404, cannot("POST /api/gen_token")]]);
  const page = await call("GET /api/v2/gen_token");
  expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
});

test("after the hour, new tokens can be made again", async () => {
  let now = new Date("2026-11-20T08:00:00.000Z");
  const { call } = await startManager({ clock: () => now, rateLimit: { scarcePerHour: 1 } });
  expect((await call("GET /api/gen_token")).status).toBe(200);
  now = new Date("2026-11-20T08:59:01.500Z");
  const refused = await call("GET /api/gen_token");
  expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "59"]);
  now = new Date("2026-11-20T09:00:00.000Z");
  expect((await call("GET /api/gen_token")).status).toBe(200);
});

test("the present token can be read from the config file without a new one", async () => {
  const { call } = await startManager();
  const { body } = await call("GET /api/gen_token");
  const { config } = (await call("GET /api/config")).body as { config: string };
  expect(JSON.parse(config)._defaults.token_auth).toBe((body as { token: string }).token);
});

test("certificates are as scarce as tokens", async () => {
  const { call } = await startManager({ rateLimit: { scarcePerHour: 1 } });
  expect((await call("GET /api/gen_cert")).body).toBe("OK");
  expect((await call("GET /api/gen_cert")).status).toBe(429);
  expect((await call("POST /api/v2/gen_cert")).body).toBe("OK");
});
