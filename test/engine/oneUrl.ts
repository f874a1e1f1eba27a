import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";

/** Another account, as far as its token leads. */
export async function anotherAccount(customer: string): Promise<Simulator> {
  const simulator = await startSimulator({ customer });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** One URL for several accounts, as the service has it: the token says which of them a request is about. */
export async function oneUrlOf(...accounts: readonly [Simulator, ...Simulator[]]): Promise<string> {
  const server = createServer((incoming, response) => {
    const { method, url, headers } = incoming;
    const { remote } = accounts.find(({ token }) => headers.authorization === `Bearer ${token}`) ?? accounts[0];
    const { hostname, port } = new URL(remote.url);
    const options = { hostname, port, method, path: url, headers };
    const outgoing = request(options, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on("error", () => incoming.socket.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
