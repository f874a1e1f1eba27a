import type { Socket } from "node:net";
import { hangUp } from "./hangUp";

/** Where a client of SOCKS5 wants to go. */
export interface Destination {
  host: string;
  port: number;
}

const SUCCEEDED = Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
const CONNECT = 1;

/**
 * Greets a client of SOCKS5. As the manager does, it knows no user names, and it says that a connection is made before it tries.
 * @returns where the client wants to go; nothing if it was turned away
 */
export async function greetSocks(socket: Socket, admits: () => boolean): Promise<Destination | undefined> {
  const [, count = 0] = await take(socket, 2);
  const methods = await take(socket, count);
  if (!methods.includes(0)) return end(socket, 5, 0xff);
  socket.write(Buffer.of(5, 0));
  const [, command, , kind] = await take(socket, 4);
  const host = await address(socket, kind);
  const port = (await take(socket, 2)).readUInt16BE();
  if (command !== CONNECT) return end(socket, 5, 7);
  if (!admits()) return end(socket, 5, 2);
  socket.write(SUCCEEDED);
  return { host, port };
}

function end(socket: Socket, ...bytes: number[]): undefined {
  hangUp(socket, Buffer.from(bytes));
}

async function address(socket: Socket, kind: number | undefined): Promise<string> {
  if (kind === 1) return (await take(socket, 4)).join(".");
  if (kind === 4) return (await take(socket, 16)).toString("hex").replace(/.{4}(?!$)/g, "$&:");
  const [length = 0] = await take(socket, 1);
  return (await take(socket, length)).toString();
}

/** The next bytes, as many as that. Never those of a client that ends before it has sent them. */
function take(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const read = (): void => {
      const bytes: Buffer | null = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (bytes === null) return void socket.once("readable", read);
      resolve(bytes);
    };
    read();
  });
}
