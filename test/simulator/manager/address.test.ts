import { expect, test } from "vitest";
import { hostOf, pathOf } from "../../../simulator/manager/address";

test.each([
  ["http://example.com/", "example.com"],
  ["HTTP://EXAMPLE.com:80", "example.com"],
  ["http://user:p%40w@example.com:8080/a", "example.com"],
  ["http://a@b@example.com/", "example.com"],
  ["http://example.com:80:80/", "example.com"],
  ["http://example.com:65536/", "example.com"],
  ["http://[2001:db8::1]:8080/", "2001:db8::1"],
  ["http://1.2.3/", "1.2.3"],
  ["http:///nohost", ""],
  ["http://exa[mple/", undefined],
])("the manager reads of %s the host %s", (url, host) => expect(hostOf(url)).toBe(host));

test.each([
  ["http://example.com", "/"],
  ["http://example.com?x=/y", "/"],
  ["http://example.com:99999/a%20b?c#d", "/a%20b"],
])("the path of %s is %s", (url, path) => expect(pathOf(url)).toBe(path));
