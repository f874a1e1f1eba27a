// A snapshot of records as fast as a socket takes it: one block of them, again and again. node server.mts <megabytes>
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

const bytes = Number(process.argv[2]) * 1e6;
const BLOCK_RECORDS = 4000;

const records = Array.from({ length: BLOCK_RECORDS }, (_, index) => ({
  url: `https://www.example.com/products/${1_000_000 + index}`,
  title: `Product ${index}, "the best" – 10 €`,
  price: index / 8,
  currency: "EUR",
  available: index % 3 > 0,
  rating: index % 5 === 0 ? null : (index % 50) / 10,
  tags: ["garden", "outdoor", `batch ${index % 17}`],
  seller: { name: `Seller ${index % 97}`, country: "DE" },
}));

const cell = (value: unknown): string => {
  const text = typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const row = (values: unknown[]): string => `${values.map(cell).join(",")}\n`;
const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
const array = records.map((record) => JSON.stringify(record)).join(",\n");

/** What comes first, what is repeated, what stands between, and what comes last. */
const FORMS: Record<string, [first: string, block: string, between: string, last: string]> = {
  ndjson: ["", lines, "", ""],
  json: ["[", array, ",\n", "]"],
  csv: [row(Object.keys(records[0] ?? {})), records.map((record) => row(Object.values(record))).join(""), "", ""],
};

/** How often the block comes: the same for all formats, so that they have the same records. */
const times = Math.ceil(bytes / Buffer.byteLength(lines));

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
  if (pathname.includes("/progress/")) {
    response.end(JSON.stringify({ status: "ready", dataset_id: "gd_bench" }));
  } else if (pathname.endsWith("/snapshots")) {
    response.end(JSON.stringify([{ id: "s_bench", status: "ready", dataset_size: times * BLOCK_RECORDS }]));
  } else {
    const [first, block, between, last] = FORMS[searchParams.get("format") ?? ""] ?? ["", "", "", ""];
    // A file that is packed piece by piece is packed.
    const pack = (text: string) => (searchParams.get("compress") === "true" ? gzipSync(text) : Buffer.from(text));
    const repeated = pack(block + between);
    const pieces = [pack(first), ...Array.from({ length: times - 1 }, () => repeated), pack(block + last)];
    response.setHeader(
      "content-length",
      pieces.reduce((sum, piece) => sum + piece.length, 0),
    );
    const send = (): void => {
      for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
        if (!response.write(piece)) return void response.once("drain", send);
      }
      response.end();
    };
    send();
  }
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit());
