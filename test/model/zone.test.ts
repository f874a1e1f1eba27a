import { expect, test } from "vitest";
import { zonePasswordLifecycle } from "../../src/kinds/zonePassword/lifecycle";

const failures = (zone: string) => zonePasswordLifecycle.check({ zone }, undefined).failures;

test.each(["web", "Web-Old", "web.2", "Büro_1", "2nd zone"])("%j may be the name of a zone that exists", (name) => {
  expect(failures(name)).toEqual([]);
});

test.each(["", " ", "*", "web,other", "web/ips", "web "])("%j may not be the name of a zone", (name) => {
  expect(failures(name)).toEqual([expect.stringMatching(/^`zone` is .*: expected the name of one zone/)]);
});
