import {
  array,
  assert,
  constant,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  property,
  string,
  tuple,
} from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine, parseCsv } from "../../simulator/remote/csv";
import { MalformedRecordsError, OversizedRecordError, RecordReader } from "../../src/download/recordReader";
import type { SnapshotFormat } from "../../src/model/snapshot";

/** What is kept of a text that comes in pieces of the given sizes, over and over; the first is that of a block, too. */
function read(format: SnapshotFormat, text: string, sizes: number[] = [text.length || 1], limit = LIMIT) {
  const reader = new RecordReader(format, limit, sizes[0]);
  const bytes = Buffer.from(text);
  const kept: Buffer[] = [];
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const to = from + (sizes[turn % sizes.length] ?? 1);
    for (const stretch of reader.read(bytes.subarray(from, to))) kept.push(Buffer.from(stretch));
    from = to;
  }
  for (const stretch of reader.end()) kept.push(Buffer.from(stretch));
  return { text: Buffer.concat(kept).toString(), records: reader.records, header: reader.header?.toString() };
}

/** Larger than any record of these tests. */
const LIMIT = 100_000_000;

const sizes = array(integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const json = jsonValue({ stringUnit: "binary" });

/** Changes at some places of a text: so many characters away, and this instead. */
const damage = array(
  tuple(integer({ min: 0 }), integer({ min: 0, max: 2 }), constantFrom(...'{}[]",:\\/ \t\r\n019.-+eEtrufalsn\u0001é')),
  { maxLength: 3 },
);

function damaged(text: string, changes: [number, number, string][]): string {
  return changes.reduce((before, [place, gone, instead]) => {
    const at = place % (before.length + 1);
    return before.slice(0, at) + instead + before.slice(at + gone);
  }, text);
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Whether it is taken, wherever the pieces end. */
function isTaken(format: SnapshotFormat, text: string, sizes: number[]): boolean {
  try {
    read(format, text, sizes);
    return true;
  } catch (error) {
    if (error instanceof MalformedRecordsError) return false;
    throw error;
  }
}

/** Texts that are longer than what is compared at once, with something in each place. */
const placed = (special: string): string[] =>
  Array.from({ length: 40 }, (_, place) => "x".repeat(place) + special + "x".repeat(40 - place));

/** Numbers, words and escapes of every kind, besides what JSON.stringify writes. */
const VARIETY =
  '[0,-0,1.5,-10.25e+10,1E-7,120e3,true,false,null,"\\u00e9\\uABCD\\n\\"\\\\\\/",{},[],{"a":{"":[[1]]},"b\\t":[{}]}]';

describe("json", () => {
  test("json finds the records, wherever the pieces end and however it is indented", () => {
    assert(
      property(array(json), sizes, integer({ min: 0, max: 3 }), (values, pieces, indent) => {
        const text = JSON.stringify(values, undefined, indent);
        const { text: kept, records } = read("json", text, pieces);
        expect(JSON.parse(`[${kept}]`)).toEqual(JSON.parse(text));
        expect(records).toBe(values.length);
      }),
    );
  });

  test("json knows an array that is cut short, wherever that is", () => {
    assert(
      property(array(dictionary(string(), json), { minLength: 1 }), integer({ min: 1 }), (values, cut) => {
        const text = JSON.stringify(values);
        const short = Buffer.from(text).subarray(0, cut % Buffer.byteLength(text));
        expect(() => read("json", short.toString("latin1"))).toThrow(MalformedRecordsError);
      }),
    );
  });

  test("json takes exactly the arrays that are JSON", () => {
    const texts = array(json, { maxLength: 3 }).map((values) => JSON.stringify(values, undefined, 1));
    assert(
      property(oneof(texts, constant(VARIETY)), damage, sizes, (text, changes, pieces) => {
        const tried = damaged(text, changes);
        expect(isTaken("json", tried, pieces)).toBe(isJson(tried) && Array.isArray(JSON.parse(tried)));
      }),
      { numRuns: 2000 },
    );
  });

  test.each([...'"\\/\u0000\u001f é€', "\\n", "\\u00e9", "\\x"])(
    "json takes %j in a text as JSON does, wherever it stands",
    (special) => {
      for (const text of placed(special)) {
        const tried = `["${text}","${text}"]`;
        expect(isTaken("json", tried, [1000]), tried).toBe(isJson(tried));
      }
    },
  );

  test("json keeps what separates the records, and nothing around them", () => {
    expect(read("json", " [ 1 , \n2 ]\n")).toMatchObject({ text: "1, \n2", records: 2 });
  });

  test("json takes records of any depth", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    expect(read("json", `[${deep}]`, [777])).toMatchObject({ text: deep, records: 1 });
    expect(() => read("json", `[${deep.slice(1)}]`, [777])).toThrow(MalformedRecordsError);
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
  ])("json does not take %j", (text) => {
    expect(() => read("json", text)).toThrow(MalformedRecordsError);
  });

  test("json takes an array with nothing in it", () => {
    expect(read("json", " [ \n] \n")).toMatchObject({ text: "", records: 0 });
  });
});

describe.each(["ndjson", "jsonl"] as const)("%s", (format) => {
  test("finds the records, wherever the pieces end", () => {
    assert(
      property(array(json), sizes, (values, pieces) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
        expect(read(format, text, pieces)).toMatchObject({ text, records: values.length });
      }),
    );
  });

  test("takes exactly the lines that are JSON", () => {
    const texts = array(json, { maxLength: 3 }).map((values) =>
      values.map((value) => JSON.stringify(value)).join("\n"),
    );
    assert(
      property(oneof(texts, constant(VARIETY)), damage, sizes, (text, changes, pieces) => {
        const tried = damaged(text, changes);
        const lines = tried.split("\n").filter((line) => !/^[ \t\r]*$/.test(line));
        expect(isTaken(format, tried, pieces)).toBe(lines.every(isJson));
      }),
      { numRuns: 2000 },
    );
  });

  test("does without the last line end, and with blank lines and those of Windows", () => {
    for (const pieces of [[1], [2], [100]]) {
      expect(read(format, '{"a":1} \r\n\n{"a":2}', pieces)).toMatchObject({ text: '{"a":1}\n{"a":2}\n', records: 2 });
    }
  });

  test.each(['{"a":1}\n{"a":', "[1\n", "[1\n,2]\n", "1 2\n", "1,2\n", "nothing\n"])("does not take %j", (text) => {
    expect(() => read(format, text)).toThrow(MalformedRecordsError);
  });
});

describe("csv", () => {
  const cell = string({ unit: "binary" });

  test("csv finds the records, wherever the pieces end and whatever the cells hold", () => {
    assert(
      property(array(array(cell, { minLength: 2, maxLength: 2 })), sizes, (rows, pieces) => {
        const quoted = (row: string[]) => `${row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")}\n`;
        const text = Buffer.from(rows.map(quoted).join("")).toString();
        expect(read("csv", `a,b\n${text}`, pieces)).toEqual({ text, records: rows.length, header: "a,b" });
      }),
    );
  });

  test.each([",", "\n", '""', '"",""', "\r\n"])("csv takes %j in a quoted cell, wherever it stands", (special) => {
    for (const text of placed(special)) {
      const row = `${text.replaceAll(/[^x]/g, "x")},"${text}",`;
      expect(read("csv", `a,b,c\n${row}\n${row}\n`, [1000])).toMatchObject({ text: `${row}\n${row}\n`, records: 2 });
      expect(() => read("csv", `a,b,c,d\n${row}\n`, [1000])).toThrow(MalformedRecordsError);
    }
  });

  test("csv reads what the service writes", () => {
    const text = ["a,b\n", csvLine(["x\ny", 'say "no"']), csvLine(["1,2", undefined])].join("");
    for (const size of [1, 2, 3, 100]) {
      const { text: kept, records, header } = read("csv", text.replaceAll("\n", "\r\n"), [size]);
      expect(parseCsv(`${header}\n${kept}`)).toEqual([
        { a: "x\r\ny", b: 'say "no"' },
        { a: "1,2", b: "" },
      ]);
      expect(kept).not.toContain("\r\n1");
      expect(records).toBe(2);
    }
  });

  test.each(["", "\n", 'a,b\n1,"2', "a,b\n1\n", "a,b\n1,2,3\n", "a,b\r1,2\r"])("csv does not take %j", (text) => {
    expect(() => read("csv", text)).toThrow(MalformedRecordsError);
  });

  test("csv takes a quote for a character in a cell that does not begin with one, wherever that stands", () => {
    for (const text of placed('"').slice(1).concat(placed('""').slice(1))) {
      const rows = `${text},1\n"${text.replaceAll('"', '""')}",${text}\n`;
      expect(read("csv", `a,b\n${rows}`, [1000])).toMatchObject({ text: rows, records: 2 });
    }
  });

  test("csv does not take anything behind the quotes of a cell, wherever that is", () => {
    for (const text of placed("x")) {
      for (const pieces of [[1000], [1]]) {
        expect(() => read("csv", `a,b\n1,2\n"${text}"x,1\n`, pieces)).toThrow(
          /^record 2 has something behind the quotes of a cell \(after \d+ bytes\)$/,
        );
      }
    }
  });

  test("csv takes an empty cell for a record where there is one column only", () => {
    expect(read("csv", "a\n\n1\n")).toMatchObject({ text: "\n1\n", records: 2 });
    expect(read("csv", "\na,b\n\n1,2\r\n\r\n3,4")).toMatchObject({ text: "1,2\n3,4\n", records: 2 });
  });
});

test("the message about a record does not quote it", () => {
  for (const format of ["json", "ndjson"] as const) {
    expect(() => read(format, '[{"token": hunter2}]')).toThrow(
      /^record 1 is not JSON, or is cut short \(after \d+ bytes\)$/,
    );
  }
});

describe.each<[SnapshotFormat, string, string]>([
  ["json", '[{"a":1},', '{"a":"'],
  ["ndjson", '{"a":1}\n', '{"a":"'],
  ["csv", "a\n1\n", '"'],
])("a record without end, as %s", (format, before, begun) => {
  test.each([10, 1000])("of more than 100 bytes ends the reading, with blocks of %j", (blockBytes) => {
    assert(
      property(integer({ min: 1, max: 50 }), (size) => {
        const reader = new RecordReader(format, 100, blockBytes);
        const take = (bytes: Buffer) => Array.from(reader.read(bytes));
        take(Buffer.from(before + begun));
        let taken = 0;
        const endless = () => {
          for (; ; taken += size) take(Buffer.alloc(size, "x"));
        };
        expect(endless).toThrow(OversizedRecordError);
        expect(taken).toBeLessThanOrEqual(Math.max(2 * 100, blockBytes));
      }),
    );
  });

  test("is noticed in one piece, too", () => {
    const text = `${before}${begun}${"x".repeat(100)}"`;
    expect(() => read(format, format === "csv" ? text : `${text}}\n`, undefined, 100)).toThrow(OversizedRecordError);
  });
});

test("a record as large as the limit is a record", () => {
  const record = JSON.stringify("x".repeat(98));
  expect(read("ndjson", `${record}\n${record}\n`, [7], 100).records).toBe(2);
  expect(read("json", `[${record},${record}]`, [7], 100).records).toBe(2);
  for (let size = 1; size < 300; size++) {
    expect(read("csv", `a\r\n${record}\r\n${record}\r\n`, [size], 100).records).toBe(2);
    expect(() => read("csv", `a\r\n${record}x\r\n`.replace('"x', "xx"), [size], 100)).toThrow(OversizedRecordError);
  }
});

test.each(["json", "ndjson", "csv"] as const)("records larger than many blocks, as %s", (format) => {
  const records = Array.from({ length: 300 }, (_, index) => `"${"x".repeat(index % 50 === 0 ? 100_000 : index)}"`);
  const kept = format === "json" ? records.join(",") : `${records.join("\n")}\n`;
  const whole = { json: `[${kept}]`, ndjson: kept, csv: `name\n${kept}` }[format];
  const result = read(format, whole, [1000, 7, 20_000]);
  expect(result.records).toBe(300);
  expect(result.text === kept).toBe(true);
});

test("the line of names has the limit of a record", () => {
  expect(() => read("csv", "a,".repeat(60), [7], 100)).toThrow(OversizedRecordError);
});
