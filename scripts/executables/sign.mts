// An ad-hoc signature in a Mach-O executable that has none: Macs with Apple's processors run no program without one.
import { createHash } from "node:crypto";

const HEADER = 32;
const COUNT_AT = 16;
const SIZE_AT = 20;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const COMMAND_SIZE = 16;
const PAGE_BITS = 12;
const SEGMENT_PAGE = 0x4000;
const HASH_SIZE = 32;
const SHA256 = 2;
const DIRECTORY_VERSION = 0x20400;
const DIRECTORY_SIZE = 88;
const BLOB_HEADER = 20;
const MAGIC = { executable: 0xfeedfacf, signature: 0xfade0cc0, directory: 0xfade0c02 } as const;
const AD_HOC = 2;
const MAIN_BINARY = 1n;

/** Offsets in a segment's command. */
const AT = { name: 8, memorySize: 32, fileOffset: 40, fileSize: 48, sections: 72, offsetInSection: 48 } as const;

const padded = (size: number, unit: number): number => Math.ceil(size / unit) * unit;

/** The executable with a signature that says what it consists of, and not who made it. */
export function signed(unsigned: Buffer, identifier: string): Buffer {
  if (unsigned.readUInt32LE(0) !== MAGIC.executable) throw new Error("This is no 64-bit Mach-O executable.");
  const limit = padded(unsigned.length, 16);
  const pages = Math.ceil(limit / 2 ** PAGE_BITS);
  const hashesAt = DIRECTORY_SIZE + identifier.length + 1;
  const size = BLOB_HEADER + hashesAt + pages * HASH_SIZE;
  const file = Buffer.alloc(limit + size);
  unsigned.copy(file);
  const { text, linkEdit } = segmentsOf(file);
  addCommand(file, text, limit, size);
  const fileSize = file.length - Number(file.readBigUInt64LE(linkEdit + AT.fileOffset));
  file.writeBigUInt64LE(BigInt(fileSize), linkEdit + AT.fileSize);
  file.writeBigUInt64LE(BigInt(padded(fileSize, SEGMENT_PAGE)), linkEdit + AT.memorySize);

  const textSize = file.readBigUInt64LE(text + AT.fileSize);
  const blob = [MAGIC.signature, size, 1, 0, BLOB_HEADER];
  const directory = [
    MAGIC.directory,
    size - BLOB_HEADER,
    DIRECTORY_VERSION,
    AD_HOC,
    hashesAt,
    DIRECTORY_SIZE,
    0,
    pages,
    limit,
  ];
  let at = limit;
  for (const number of [...blob, ...directory]) at = file.writeUInt32BE(number, at);
  for (const byte of [HASH_SIZE, SHA256, 0, PAGE_BITS]) at = file.writeUInt8(byte, at);
  at += 16;
  for (const number of [0n, 0n, textSize, MAIN_BINARY]) at = file.writeBigUInt64BE(number, at);
  file.write(`${identifier}\0`, at, "latin1");
  at += identifier.length + 1;
  for (let page = 0; page < pages; page++) {
    const bytes = file.subarray(page << PAGE_BITS, Math.min((page + 1) << PAGE_BITS, limit));
    at += createHash("sha256").update(bytes).digest().copy(file, at);
  }
  return file;
}

/** Where the commands of two segments begin: of that with the headers, and of the last one, which has the signature. */
function segmentsOf(file: Buffer): { text: number; linkEdit: number } {
  const found = new Map<string, number>();
  let at = HEADER;
  for (let left = file.readUInt32LE(COUNT_AT); left > 0; left--) {
    const command = file.readUInt32LE(at);
    if (command === CODE_SIGNATURE) throw new Error("The executable is signed already.");
    if (command === SEGMENT) found.set(file.toString("latin1", at + AT.name, at + 24).replace(/\0+$/, ""), at);
    at += file.readUInt32LE(at + 4);
  }
  const [text, linkEdit] = [found.get("__TEXT"), found.get("__LINKEDIT")];
  if (text === undefined || linkEdit === undefined) throw new Error("The executable lacks a segment.");
  return { text, linkEdit };
}

/** Adds the command that says where the signature is, in the room between the commands and the first section. */
function addCommand(file: Buffer, text: number, offset: number, size: number): void {
  const end = HEADER + file.readUInt32LE(SIZE_AT);
  const first = file.readUInt32LE(text + AT.sections + AT.offsetInSection);
  if (end + COMMAND_SIZE > first) throw new Error("The executable has no room for another command.");
  [CODE_SIGNATURE, COMMAND_SIZE, offset, size].forEach((number, index) => {
    file.writeUInt32LE(number, end + index * 4);
  });
  file.writeUInt32LE(file.readUInt32LE(COUNT_AT) + 1, COUNT_AT);
  file.writeUInt32LE(end - HEADER + COMMAND_SIZE, SIZE_AT);
}
