import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../../scripts/freePort.mts";
import {
  becomesOf,
  bothWays,
  CUT,
  DECLARED,
  expressionsAt,
  isRefusedSetting,
  type Row,
  SETTINGS,
  settingsCarry,
  UPDATES,
} from "../simulator/manager/declaredPorts";
import { send } from "../simulator/manager/harness";
import { askPort } from "../simulator/manager/portClient";
import { hasTurn } from "../turn";
import { PAGE } from "./alike";
import { type Both, startBoth } from "./both";

let both: Both;
beforeAll(async () => {
  both = await startBoth();
});
afterAll(() => both?.stop());

const TRIED = DECLARED.filter((_, index) => hasTurn(index, 2));

test.each(TRIED.map((row): [string, Row] => [JSON.stringify(row[0]), row]))(
  "a port with %s becomes the same at the vendor's program and at the simulator",
  async (_, row) => {
    const [, becomes, carries] = row;
    const really = await becomesOf(both.real.url, row, await freePort());
    const simulated = await becomesOf(both.simulator.manager.url, row, await freePort());
    expect({ really, simulated }).toEqual({ really: [becomes, carries], simulated: [becomes, carries] });
  },
);

test.each(UPDATES.filter((_, index) => hasTurn(index, 2)).map((steps) => [JSON.stringify(steps), steps] as const))(
  "a port that is declared as %s in turn carries requests as one that is made so",
  async (_, steps) => {
    // Its two processes count the sessions by themselves.
    const usernameAt = async (port: number) => {
      const { status } = await askPort(port, { line: `GET ${PAGE}` }, 20_000);
      return [status, both.usernames.at(-1)?.replace(/(?<=session-\d+)_\d+/, "")];
    };
    const { updated, made } = await bothWays(both.real.url, steps, await freePort(), usernameAt);
    expect(updated).toEqual(made);
  },
);

test.each(CUT)("an expression %j stays what it is when a port gets it", async (text) => {
  const [group, declared] = [`(?:${text})`, text];
  expect(await expressionsAt(both.real.url, text, await freePort())).toEqual([group, group, declared, declared]);
});

test.each(SETTINGS.map(([fields, becomes]) => [JSON.stringify(fields), fields, becomes] as const))(
  "settings with %s are refused, or let requests through at both",
  async (_, fields, becomes) => {
    expect(isRefusedSetting(fields) ? "refused" : "works").toBe(becomes);
    if (becomes === "refused") return;
    for (const url of [both.real.url, both.simulator.manager.url])
      expect(await settingsCarry(url, fields, await freePort())).toBe(200);
  },
);

test("throttle holds tunnels and requests to one domain back at both, until one is over", async () => {
  for (const url of [both.real.url, both.simulator.manager.url]) {
    const port = await freePort();
    await send(url, "POST /api/proxies", { proxy: { zone: "static", port, throttle: 1 } });
    const tunnel = (host: string) => {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      socket.write(`CONNECT ${host}:443 HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
      return socket;
    };
    const first = tunnel("www.example.com");
    await once(first, "data");
    const second = tunnel("example.com");
    let isSecond = false;
    const opened = once(second, "data").then(() => {
      isSecond = true;
    });
    const third = askPort(port, { line: "GET http://example.com/" }, 20_000);
    // What comes later, and to another domain, is not held back.
    expect(await askPort(port, { line: `GET ${PAGE}` }, 20_000)).toMatchObject({ status: 200 });
    expect(isSecond).toBe(false);
    first.destroy();
    await opened;
    second.destroy();
    expect(await third).toMatchObject({ status: 200 });
    await send(url, `DELETE /api/proxies/${port}`);
  }
});

test("a header that no request can have ends the connection at both", async () => {
  for (const url of [both.real.url, both.simulator.manager.url]) {
    const port = await freePort();
    await send(url, "POST /api/proxies", {
      proxy: { zone: "static", port, headers: [{ name: "trailer", value: "v" }] },
    });
    await expect(askPort(port, { line: `GET ${PAGE}` })).rejects.toThrow(/hang up|ended the connection|ECONNRESET/);
    // The vendor's process of the ports comes back; what is asked of it before that is never answered.
    const other = await freePort();
    await send(url, "POST /api/proxies", { proxy: { zone: "static", port: other } });
    await expect.poll(() => askPort(other, { line: `GET ${PAGE}` }).catch(String)).toMatchObject({ status: 200 });
  }
});

// Last: the number is lost to the real one until it is restarted.
test("a port with a folder for a file is never made at both, and cannot be deleted", async () => {
  for (const url of [both.real.url, both.simulator.manager.url]) {
    const port = await freePort();
    const never = vi.fn();
    const asked = (line: string, body?: object) => void send(url, line, body).then(never, () => undefined);
    asked("POST /api/proxies", { proxy: { zone: "static", port, reverse_lookup_file: __dirname } });
    const isRunning = async () => {
      const ports = (await send(url, "GET /api/proxies_running")).body as { port: number }[];
      return ports.some((each) => each.port === port);
    };
    await expect.poll(isRunning).toBe(true);
    await expect(askPort(port, { line: `GET ${PAGE}` })).rejects.toThrow("ECONNREFUSED");
    expect(await send(url, `GET /api/proxies/${port}`)).toMatchObject({ status: 400, body: "invalid port number" });
    asked(`DELETE /api/proxies/${port}`);
    const again = await send(url, `DELETE /api/proxies/${port}`);
    expect(again).toMatchObject({ status: 500, body: "Server error: this proxy is already being stopped and deleted" });
    expect(never).not.toHaveBeenCalled();
  }
});
