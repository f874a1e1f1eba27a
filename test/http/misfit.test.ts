import { expect, test } from "vitest";
import { z } from "zod";
import { misfits, readAs } from "../../src/http/misfit";

const PORT = z.looseObject({ port: z.coerce.number().int() });

test.each<[string, z.ZodType, unknown, string[]]>([
  ["a part that is missing", z.object({ plan: z.object({}) }), {}, ["`plan`: expected an object, but it is missing"]],
  ["a text", z.object({ plan: z.object({}) }), { plan: "s" }, ["`plan`: expected an object, but it is a text"]],
  ["null", z.object({ ips: z.array(z.string()) }), { ips: null }, ["`ips`: expected a list, but it is null"]],
  [
    "a part of a part",
    z.object({ a: z.array(z.number()) }),
    { a: [1, true] },
    ["`a.1`: expected a number, but it is a boolean"],
  ],
  ["the whole", z.array(z.string()), { a: 1 }, ["the answer: expected a list, but it is an object"]],
  ["a record", z.record(z.string(), z.boolean()), [], ["the answer: expected an object, but it is a list"]],
  ["a fraction", z.object({ n: z.int() }), { n: 1.5 }, ["`n`: expected a whole number, but it is a number"]],
  ["a number that can be made of nothing", PORT, {}, ["`port`: expected a number, but it is missing"]],
  ["a word", z.object({ result: z.literal("ok") }), { result: "no" }, ['`result`: expected "ok", but it is a text']],
  ["an empty text", z.object({ token: z.string().min(1) }), { token: "" }, ["`token` holds what cannot be used"]],
  [
    "none of several kinds",
    z.union([z.string(), z.array(z.string())]),
    5,
    ["the answer: expected a text or a list, but it is a number"],
  ],
  [
    "the right one of several forms",
    z.union([PORT, z.array(PORT)]),
    {},
    ["`port`: expected a number, but it is missing"],
  ],
  [
    "the right one of several forms in a list",
    z.object({ ips: z.array(z.union([z.string(), z.object({ ip: z.string() })])) }),
    { ips: [{ ip: 5 }] },
    ["`ips.0.ip`: expected a text, but it is a number"],
  ],
  [
    "one wrong part in two forms",
    z.union([z.object({ a: z.string() }), z.object({ a: z.string(), b: z.string() })]),
    {},
    ["`a`: expected a text, but it is missing"],
  ],
])("%s is said in a sentence", (_, shape, answer, sentences) => {
  expect(misfits(shape.safeParse(answer).error?.issues ?? [], answer)).toEqual(sentences);
});

test("no value is in the sentences", () => {
  const shape = z.object({ password: z.number(), mode: z.enum(["a", "b"]), n: z.number().max(5) });
  const answer = { password: "hunter2", mode: "hunter3", n: 12345 };
  const said = misfits(shape.safeParse(answer).error?.issues ?? [], answer).join();
  expect(said).toBe(
    '`password`: expected a number, but it is a text,`mode`: expected "a" or "b", but it is a text,`n` holds what cannot be used',
  );
});

test("a long list of what was not asked for is given up at its beginning", () => {
  const answer = Array.from({ length: 300_000 }, () => 1);
  const { error } = readAs(z.array(z.object({})), answer);
  expect(error?.issues).toHaveLength(1000);
  expect(misfits(error?.issues ?? [], answer)[0]).toBe("`0`: expected an object, but it is a number");
  expect(readAs(z.array(z.number()), answer).data).toEqual(answer);
  expect(readAs(z.array(z.number()), [...answer, "x"]).success).toBe(false);
});

test.each([
  ["in an object", z.object({ ips: z.array(z.string()) }), (list: unknown[]) => ({ ips: list })],
  ["in a record", z.record(z.string(), z.array(z.string())), (list: unknown[]) => ({ a: ["1"], b: list })],
  ["in a list", z.array(z.array(z.string())), (list: unknown[]) => [["1"], list]],
])("a long list %s of what was not asked for is given up at its beginning", (_, shape, within) => {
  const texts = Array<unknown>(5000).fill("x");
  expect(readAs(shape, within(texts.map(() => 1))).error?.issues).toHaveLength(1000);
  expect(readAs(shape, within(texts)).data).toEqual(within(texts));
  expect(readAs(shape, within([...texts, 1])).success).toBe(false);
});
