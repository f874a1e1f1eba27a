import { afterAll, beforeEach, vi } from "vitest";
import { homeOfItsOwn } from "./homeOfItsOwn";

// What one test's service has answered is nothing to another's, though it may listen on the same port.
const before = process.env.PULUMI_HOME;

beforeEach(() => homeOfItsOwn());

// What is waited for comes; on a busy machine it may take longer than the second that Vitest allows.
const PATIENCE_MS = 15_000;
const { waitFor } = vi;
vi.waitFor = (look, options) =>
  waitFor(look, typeof options === "number" ? options : { timeout: PATIENCE_MS, ...options });

afterAll(() => {
  if (before === undefined) delete process.env.PULUMI_HOME;
  else process.env.PULUMI_HOME = before;
});
