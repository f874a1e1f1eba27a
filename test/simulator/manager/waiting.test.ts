import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { listeningPort, startManager } from "./harness";
import { askPort } from "./portClient";

const LATE = "http://example.com/delay/60000";

/** A manager whose time passes at once, and how much of it has. */
async function start() {
  const waits: number[] = [];
  const pause = async (milliseconds: number) => void waits.push(milliseconds);
  const { manager } = await startManager({ listen: true, dropin: false, pause });
  return { waits, url: manager.url };
}

const rule = (action: object, time: object): object => ({
  rules: [{ action, ...time, action_type: Object.keys(action)[0], trigger_type: Object.keys(time)[0] }],
});

test("a page that is late takes its time", async () => {
  const { waits, url } = await start();
  const port = await listeningPort(url);
  expect(await askPort(port, { line: `GET ${LATE}` })).toMatchObject({ status: 200, reason: "OK" });
  expect(waits).toEqual([60_000]);
});

test.each([
  [{ null_response: true }, { min_req_time: 30_000 }, "NULL", 30_000],
  [{ null_response: true }, { min_req_time: 90_000 }, "OK", 60_000],
  [{ null_response: true }, { min_conn_time: 30_000 }, "NULL", 30_000],
])("the action %j comes after %j where the page has not come", async (action, time, reason, waited) => {
  const { waits, url } = await start();
  const port = await listeningPort(url, rule(action, time));
  expect(await askPort(port, { line: `GET ${LATE}` })).toMatchObject({ status: 200, reason });
  expect(waits).toEqual([waited]);
});

test("a request waits for its turn, and one whose client has left takes none", async () => {
  const { url } = await start();
  const port = await listeningPort(url, { throttle: 1 });
  const tunnel = () => {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n");
    return socket;
  };
  const first = tunnel();
  await once(first, "data");
  const leaver = tunnel();
  expect(await askPort(port, { line: "GET http://example.org/" })).toMatchObject({ status: 200 });
  leaver.destroy();
  const third = askPort(port, { line: "GET http://www.example.com/" });
  first.destroy();
  expect(await third).toMatchObject({ status: 200 });
});
