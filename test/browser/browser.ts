import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

type Values = Record<string, unknown>;
type Heard = { method: string; params: Values };

/** How a page is shown. */
export interface View {
  width: number;
  height: number;
  scheme: "light" | "dark";
}

/** A headless Chromium, driven by its own protocol. */
export class Browser {
  readonly #process: ChildProcess;
  readonly #socket: WebSocket;
  readonly #profile: string;
  readonly #answers = new Map<number, { resolve(result: Values): void; reject(error: Error): void }>();
  readonly #heard: Heard[] = [];
  readonly #waiting = new Set<() => void>();
  #session: string | undefined;
  #last = 0;

  private constructor(process: ChildProcess, socket: WebSocket, profile: string) {
    this.#process = process;
    this.#socket = socket;
    this.#profile = profile;
    socket.addEventListener("message", ({ data }) => this.#receive(JSON.parse(String(data))));
  }

  /** Starts it with one empty page. */
  static async start(path: string): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "chromium-"));
    const args = [
      "--headless",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--hide-scrollbars",
      "--disable-lcd-text",
    ];
    const alone = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
    // Its sandbox does not work for root.
    const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const child = spawn(path, [...args, ...alone, ...asRoot, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
    const socket = new WebSocket(await addressOf(child));
    await once(socket, "open");
    const browser = new Browser(child, socket, profile);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = String(sessionId);
    for (const domain of ["Page", "Network", "Runtime", "Log"]) await browser.send(`${domain}.enable`);
    return browser;
  }

  /** Shows a page so, and waits until it is there. */
  async open(url: string, { width, height, scheme }: View): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    this.#heard.length = 0;
    await this.send("Page.navigate", { url });
    while (!this.#heard.some(({ method }) => method === "Page.loadEventFired")) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** What the page has asked for since it was opened, itself included. */
  requests(): string[] {
    const sent = this.#heard.filter(({ method }) => method === "Network.requestWillBeSent");
    return sent.map(({ params }) => String((params.request as Values).url));
  }

  /** What the browser complains about. */
  complaints(): string[] {
    const entries = this.#heard.filter(({ method }) => method === "Log.entryAdded");
    return entries.map(({ params }) => String((params.entry as Values).text));
  }

  /** The value of an expression in the page, which need not allow scripts. */
  async evaluate(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as Values).value;
  }

  /** What is seen, as PNG. */
  async picture(): Promise<Buffer> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(String(data), "base64");
  }

  send(method: string, params: Values = {}): Promise<Values> {
    const id = ++this.#last;
    const sessionId = this.#session;
    this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    return new Promise((resolve, reject) => this.#answers.set(id, { resolve, reject }));
  }

  async close(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#socket.close();
    this.#process.kill();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #receive({ id, result, error, method, params }: Values): void {
    if (typeof id === "number") {
      const answer = this.#answers.get(id);
      this.#answers.delete(id);
      if (error === undefined) answer?.resolve(result as Values);
      else answer?.reject(new Error(JSON.stringify(error)));
      return;
    }
    this.#heard.push({ method: String(method), params: params as Values });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Where it listens, which it tells when it does. */
async function addressOf({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("Chromium's messages are not read.");
  const said: string[] = [];
  const lines = createInterface(stderr);
  for await (const line of lines) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    said.push(line);
    if (address === undefined) continue;
    stderr.resume();
    return address;
  }
  throw new Error(`Chromium did not start: ${said.join("\n")}`);
}
