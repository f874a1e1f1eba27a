import { expect, test } from "vitest";
import { BanList } from "../../../simulator/manager/banList";
import { PortSession } from "../../../simulator/manager/portSession";

function sessionOf(fields: object = {}) {
  const session = new PortSession();
  const bans = new BanList(() => 0);
  const config = { port: 24_000, ...fields };
  session.follow(config, config);
  return { session, config, name: () => session.name({ config, bans }, "127.0.0.1") };
}

test("a port that has begun a session counts on from it, and from none it does not", () => {
  const { session, name } = sessionOf();
  expect(name()).toBe("24000_0");
  session.advance(2);
  expect(name()).toBe("24000_2");
  // Told its number, the port begins that one at once.
  session.renew(2);
  session.advance(2);
  expect([name(), name()]).toEqual(["24000_4", "24000_4"]);
  session.replace();
  expect(name()).toBe("24000_5");
});

test("through proxies of other vendors, a port goes without a session of its own", () => {
  expect(sessionOf({ session: "own" }).name()).toBe("own");
  const { session, config, name } = sessionOf({ session: "own", ext_proxies: [] });
  expect(name()).toBe("24000_0");
  // It finds it again only when it is told.
  for (const [fields, expected] of [
    [{ ext_proxies: "" }, "24000_1"],
    [{ session: "own" }, "own"],
  ] as const) {
    session.follow(fields, Object.assign(config, fields));
    session.replace();
    expect(name()).toBe(expected);
  }
});

test("of several networks, each session takes the next", () => {
  const { session, config, name } = sessionOf({ asn: ["1", "2"] });
  const taken = [0, 1, 2].map((number) => {
    session.renew(number);
    name();
    return session.ofPool(config, undefined);
  });
  expect(taken).toEqual([{ asn: "1" }, { asn: "2" }, { asn: "1" }]);
});
