import { array, assert, dictionary, integer, jsonValue, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { MalformedRecordsError, OversizedRecordError, recordSplitter } from "../../src/download/recordSplitter";
import type { SnapshotFormat } from "../../src/remote/snapshots";
import { csvLine, parseCsv } from "../../src/simulator/remote/csv";

/** The records of a text that comes in pieces of the given sizes, over and over. */
function split(format: SnapshotFormat, text: string, sizes: number[] = [text.length || 1], limit = LIMIT) {
  const splitter = recordSplitter(format, limit);
  const bytes = Buffer.from(text);
  const records: Buffer[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const to = from + (sizes[turn % sizes.length] ?? 1);
    records.push(...splitter.push(bytes.subarray(from, to)));
    from = to;
  }
  records.push(...splitter.end());
  return { records: records.map(String), header: splitter.header?.toString() };
}

/** Larger than any record of these tests. */
const LIMIT = 1_000_000;

const sizes = array(integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const json = jsonValue({ stringUnit: "binary" });

describe("json", () => {
  test("finds the records, wherever the pieces end and however it is indented", () => {
    assert(
      property(array(json), sizes, integer({ min: 0, max: 3 }), (values, pieces, indent) => {
        const text = JSON.stringify(values, undefined, indent);
        const { records } = split("json", text, pieces);
        expect(records.map((record) => JSON.parse(record))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("knows an array that is cut short, wherever that is", () => {
    assert(
      property(array(dictionary(string(), json), { minLength: 1 }), integer({ min: 1 }), (values, cut) => {
        const text = JSON.stringify(values);
        const short = Buffer.from(text).subarray(0, cut % Buffer.byteLength(text));
        expect(() => split("json", short.toString("latin1"))).toThrow(MalformedRecordsError);
      }),
    );
  });

  test.each([
    "",
    "{}",
    '{"error":"no"}',
    "[1,]",
    "[,1]",
    "[1][2]",
    "[1]]",
    "[1 2]",
    "[{]",
    '["a]',
    "[1]x",
    "x[1]",
    "[[1]",
  ])("does not take %j", (text) => {
    expect(() => split("json", text)).toThrow(MalformedRecordsError);
  });

  test("takes an array with nothing in it", () => {
    expect(split("json", " [ \n] \n").records).toEqual([]);
  });
});

describe.each(["ndjson", "jsonl"] as const)("%s", (format) => {
  test("finds the records, wherever the pieces end", () => {
    assert(
      property(array(json), sizes, (values, pieces) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
        expect(split(format, text, pieces).records).toEqual(values.map((value) => JSON.stringify(value)));
      }),
    );
  });

  test("does without the last line end, and with blank lines and those of Windows", () => {
    expect(split(format, '{"a":1}\r\n\n{"a":2}').records).toEqual(['{"a":1}', '{"a":2}']);
  });

  test.each(['{"a":1}\n{"a":', "[1\n", "nothing\n"])("does not take %j", (text) => {
    expect(() => split(format, text)).toThrow(MalformedRecordsError);
  });
});

describe("csv", () => {
  const cell = string({ unit: "binary" });

  test("finds the records, wherever the pieces end and whatever the cells hold", () => {
    assert(
      property(array(array(cell, { minLength: 2, maxLength: 2 })), sizes, (rows, pieces) => {
        const quoted = (row: string[]) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")}\n`;
        const { records, header } = split("csv", `a,b\n${rows.map(quoted).join("")}`, pieces);
        expect(header).toBe("a,b");
        expect(records.map((record) => `${record}\n`)).toEqual(rows.map((row) => Buffer.from(quoted(row)).toString()));
      }),
    );
  });

  test("reads what the service writes", () => {
    const text = ["a,b\n", csvLine(["x\ny", 'say "no"']), csvLine(["1,2", undefined])].join("");
    const { records, header } = split("csv", text.replaceAll("\n", "\r\n"), [3]);
    expect(parseCsv([header, ...records].join("\n"))).toEqual([
      { a: "x\r\ny", b: 'say "no"' },
      { a: "1,2", b: "" },
    ]);
  });

  test.each(["", "\n", 'a,b\n1,"2', "a,b\n1\n", "a,b\n1,2,3\n"])("does not take %j", (text) => {
    expect(() => split("csv", text)).toThrow(MalformedRecordsError);
  });

  test("takes an empty cell for a record where there is one column only", () => {
    expect(split("csv", "a\n\n1\n").records).toEqual(["", "1"]);
  });
});

test("the message about a record does not quote it", () => {
  for (const format of ["json", "ndjson"] as const) {
    expect(() => split(format, '[{"token": hunter2}]')).toThrow(
      /^record 1 is not JSON, or is cut short \(\d+ bytes\)$/,
    );
  }
});

describe.each<[SnapshotFormat, string, string]>([
  ["json", '[{"a":1},', '{"a":"'],
  ["ndjson", '{"a":1}\n', '{"a":"'],
  ["csv", "a\n1\n", '"'],
])("a record without end, as %s", (format, before, begun) => {
  test("ends the reading as soon as it is larger than the limit, wherever the pieces end", () => {
    assert(
      property(integer({ min: 1, max: 50 }), (size) => {
        const splitter = recordSplitter(format, 100);
        splitter.push(Buffer.from(before + begun));
        const piece = Buffer.alloc(size, "x");
        let taken = begun.length;
        const endless = () => {
          for (;;) {
            splitter.push(piece);
            taken += size;
          }
        };
        expect(endless).toThrow(OversizedRecordError);
        expect(taken).toBeLessThanOrEqual(100);
        expect(taken + size).toBeGreaterThan(100);
      }),
    );
  });

  test("is noticed in one piece, too", () => {
    const text = `${before}${begun}${"x".repeat(100)}"`;
    expect(() => split(format, format === "csv" ? text : `${text}}\n`, undefined, 100)).toThrow(OversizedRecordError);
  });
});

test("a record as large as the limit is a record", () => {
  const record = JSON.stringify("x".repeat(98));
  expect(split("ndjson", `${record}\n${record}\n`, [7], 100).records).toEqual([record, record]);
  expect(split("json", `[${record},${record}]`, [7], 100).records).toEqual([record, record]);
});

test("the line of names has the limit of a record", () => {
  expect(() => split("csv", "a,".repeat(60), [7], 100)).toThrow(OversizedRecordError);
});
