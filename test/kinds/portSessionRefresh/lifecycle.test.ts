import { expect, test, vi } from "vitest";
import { NotFoundError } from "../../../src/base/errors";
import { portSessionRefreshLifecycle as portSessionRefresh } from "../../../src/kinds/portSessionRefresh/lifecycle";
import { failure } from "../../lifecycle/harness";
import { withPort } from "../portStage";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test("PortSessionRefresh tells the new session, where there is one to tell", async () => {
  const scene = await withPort();
  await scene.context.manager.ports.create({ port: 24_001, zone: "web", rotateSession: true });
  const first = await portSessionRefresh.create({ port: 24_000 }, scene.step());
  const second = await portSessionRefresh.create({ port: 24_000 }, scene.step());
  expect(first.state.sessionId).toMatch(/^24000_\d+$/);
  expect(second.state.sessionId).not.toBe(first.state.sessionId);
  expect(await portSessionRefresh.create({ port: 24_001 }, scene.step())).toEqual({
    id: "24001",
    state: { port: 24_001 },
  });
});

test("PortSessionRefresh of an unknown port fails", async () => {
  const scene = await withPort();
  expect(await failure(portSessionRefresh.create({ port: 24_999 }, scene.step()))).toBeInstanceOf(NotFoundError);
});
