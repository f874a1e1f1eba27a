import type { Duplex } from "node:stream";

/** Ends a connection. What the client still sends is read: as long as it is not, the connection stays open. */
export const hangUp = (stream: Duplex, last: Buffer = Buffer.alloc(0)): void => void stream.end(last).resume();
