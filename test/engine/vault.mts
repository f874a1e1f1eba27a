import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** Where stacks have the key of their secrets, and what the CLI needs to know to get it. */
export interface Keys {
  provider: string;
  environment: Record<string, string>;
}

/**
 * As much of a HashiCorp Vault as keeps the keys of stacks: to derive one from a passphrase is a third of a second's work for each
 * command of the CLI. What it seals stays legible, and is none of a program's secrets.
 */
export async function startVault(): Promise<Keys & { close(): void }> {
  const server = createServer(async (request, response) => {
    const { plaintext, ciphertext } = (await json(request)) as Record<string, string | undefined>;
    const data = ciphertext === undefined ? { ciphertext: plaintext } : { plaintext: ciphertext };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    provider: "hashivault://tests",
    environment: { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "none" },
    close: () => void server.close(),
  };
}
