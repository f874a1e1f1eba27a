import { array, assert, dictionary, integer, jsonValue, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { csvLine, parseCsv } from "../../simulator/remote/csv";
import {
  type Layout,
  MalformedRecordsError,
  OversizedRecordError,
  RecordReader,
} from "../../src/download/recordReader";

/** What is kept of a text that comes in pieces of the given sizes, over and over; the first is that of a block, too. */
function read(format: Layout, text: string, sizes: number[] = [text.length || 1], limit = LIMIT) {
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

/** What a line of its own is for. */
const record = json.filter((value) => !Array.isArray(value));

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Whether it is taken, wherever the pieces end. */
function isTaken(format: Layout, text: string, sizes: number[]): boolean {
  try {
    read(format, text, sizes);
    return true;
  } catch (error) {
    if (error instanceof MalformedRecordsError) return false;
    throw error;
  }
}

/** Texts with something in each place. */
const placed = (special: string): string[] =>
  Array.from({ length: 40 }, (_, place) => "x".repeat(place) + special + "x".repeat(40 - place));

describe("ndjson", () => {
  test("finds the records, wherever the pieces end", () => {
    assert(
      property(array(record), sizes, (values, pieces) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
        expect(read("ndjson", text, pieces)).toMatchObject({ text, records: values.length });
      }),
    );
  });

  test("knows a text that is cut short, wherever that is within a record", () => {
    assert(
      property(
        array(dictionary(string(), json), { minLength: 1 }),
        integer({ min: 1 }),
        sizes,
        (values, cut, pieces) => {
          const lines = values.map((value) => JSON.stringify(value)).join("\n");
          const text = Buffer.from(lines)
            .subarray(0, cut % Buffer.byteLength(lines))
            .toString("latin1");
          const isWhole = text.split("\n").every((line) => line === "" || isJson(line));
          expect(isTaken("ndjson", text, pieces)).toBe(isWhole);
        },
      ),
    );
  });

  test("finds the records of an array that stands in one line, wherever the pieces end", () => {
    assert(
      property(array(array(json)), sizes, (arrays, pieces) => {
        const text = arrays.map((values) => `${JSON.stringify(values)}\n`).join("");
        const values = arrays.flat();
        const lines = values.map((value) => `${JSON.stringify(value)}\n`).join("");
        expect(read("ndjson", text, pieces)).toMatchObject({ text: lines, records: values.length });
      }),
    );
    expect(read("ndjson", '[ {"a":"]\\"}"} , {} ]')).toMatchObject({ text: '{"a":"]\\"}"}\n{}\n', records: 2 });
  });

  test("takes what begins and ends as a value does, and what is damaged within only in the last line", () => {
    expect(read("ndjson", '{"a":}\n[{"a":}]\n"x"\n')).toMatchObject({ records: 3 });
    for (const last of ['{"a":}', "[1,]", '"x', "nothing"]) expect(isTaken("ndjson", `{}\n${last}`, [5])).toBe(false);
  });

  test("does without the last line end, and with blank lines and those of Windows", () => {
    for (const pieces of [[1], [2], [100]]) {
      expect(read("ndjson", '{"a":1} \r\n\n{"a":2}', pieces)).toMatchObject({ text: '{"a":1}\n{"a":2}\n', records: 2 });
    }
  });

  test.each([
    '{"a":1}\n{"a":',
    "[1\n",
    "[1\n,2]\n",
    "[1,]\n",
    "[1]2]\n",
    "[1}\n",
    "[}\n",
    "[,1]\n",
    "[{]}\n",
    "1 2\n",
    "1,2\n",
    "nothing\n",
    "{]\n",
    '{"error":"no"}]\n',
  ])("does not take %j", (text) => {
    expect(() => read("ndjson", text)).toThrow(MalformedRecordsError);
  });

  test("takes nothing that is not UTF-8", () => {
    const bytes = Buffer.from('{"a":1}\n{"name":"M\xfcnchen"}\n', "latin1");
    const reader = new RecordReader("ndjson", LIMIT);
    expect(() => [...reader.read(bytes), ...reader.end()]).toThrow(/^one of the first 2 records is not UTF-8$/);
  });

  test("takes records that end with a character of several bytes, however many blanks stand before them", () => {
    for (const blanks of [1, 2, 3, 4, 5]) {
      const text = `${" ".repeat(blanks)}{"a":"é"}\n`;
      expect(read("ndjson", text, [1000])).toMatchObject({ text: text.trimStart(), records: 1 });
    }
  });
});

test("csv takes nothing that is not UTF-8, in a cell or among the names", () => {
  for (const [text, record] of [
    ["a,b\n1,2\n3,\xfc\n", 3],
    ["a,\xfc\n1,2\n", 2],
    ['a,b\n"1\n\xfc', 1],
  ] as const) {
    const reader = new RecordReader("csv", LIMIT);
    const reading = () => [...reader.read(Buffer.from(text, "latin1")), ...reader.end()];
    expect(reading).toThrow(`the CSV is not UTF-8, in record ${record} or before`);
  }
});

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

test("ndjson may begin with a byte order mark, which is not kept, wherever the pieces end", () => {
  for (const text of ['{"a":1}\n{"a":2}\n', "1\n", "[1]\n", ""]) {
    for (const pieces of [[1], [2], [4], [100]]) {
      const records = text.split("\n").length - 1;
      const kept = read("ndjson", `\ufeff${text}`, pieces);
      expect({ text: kept.text, records: kept.records }).toEqual({ text: text.replace(/[[\]]/g, ""), records });
    }
  }
});

test("the message about a record does not quote it", () => {
  expect(() => read("ndjson", '[{"token": hunter2}')).toThrow(/^record 1 is not JSON, or is cut short$/);
});

describe.each<[Layout, string, string]>([
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
  for (let size = 1; size < 300; size++) {
    expect(read("csv", `a\r\n${record}\r\n${record}\r\n`, [size], 100).records).toBe(2);
    expect(() => read("csv", `a\r\n${record}x\r\n`.replace('"x', "xx"), [size], 100)).toThrow(OversizedRecordError);
  }
});

test.each(["ndjson", "csv"] as const)("records larger than many blocks, as %s", (format) => {
  const records = Array.from({ length: 300 }, (_, index) => `"${"x".repeat(index % 50 === 0 ? 100_000 : index)}"`);
  const kept = `${records.join("\n")}\n`;
  const whole = { ndjson: kept, csv: `name\n${kept}` }[format];
  const result = read(format, whole, [1000, 7, 20_000]);
  expect(result.records).toBe(300);
  expect(result.text === kept).toBe(true);
});

test("the line of names has the limit of a record", () => {
  expect(() => read("csv", "a,".repeat(60), [7], 100)).toThrow(OversizedRecordError);
});
