import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = 8;
const MOST_COLORS = 256;

/** A picture with its 256 most frequent colors, others as the nearest of them: a screenshot is a third as large then. */
export function indexed(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const counts = new Map<number, number>();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_COLORS);
  const colors = palette.map(([color]) => color);
  const indices = new Map([...counts.keys()].map((color) => [color, nearest(color, colors)]));
  const rows = Buffer.alloc(height * (width + 1));
  pixels.forEach((color, pixel) => {
    rows[Math.floor(pixel / width) * (width + 1) + 1 + (pixel % width)] = indices.get(color) ?? 0;
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    png.subarray(0, SIGNATURE),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colors.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const channels = (color: number): [number, number, number] => [color >> 16, (color >> 8) & 255, color & 255];

function nearest(color: number, colors: readonly number[]): number {
  const own = channels(color);
  const distances = colors.map((other) =>
    channels(other).reduce((sum, value, index) => sum + (value - (own[index] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Of a picture with eight bits a channel, as browsers make them. */
function decoded(png: Buffer): { width: number; height: number; pixels: Uint32Array } {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const [width, height, size] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const stride = width * size;
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), stride, size);
  const pixels = Uint32Array.from({ length: width * height }, (_, pixel) => bytes.readUIntBE(pixel * size, 3));
  return { width, height, pixels };
}

/** Each line begins with the filter that it went through. */
function unfiltered(lines: Buffer, stride: number, size: number): Buffer {
  const height = lines.length / (stride + 1);
  const bytes = Buffer.alloc(height * stride);
  const byteAt = (y: number, x: number) => (y < 0 || x < 0 ? 0 : (bytes[y * stride + x] ?? 0));
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1);
    for (let x = 0; x < stride; x++) {
      const expected = predicted(lines[start] ?? 0, byteAt(y, x - size), byteAt(y - 1, x), byteAt(y - 1, x - size));
      bytes[y * stride + x] = (lines[start + 1 + x] ?? 0) + expected;
    }
  }
  return bytes;
}

/** What a filter of PNG expects of a byte, by those beside it. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 3) return [0, left, up][filter] ?? 0;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
