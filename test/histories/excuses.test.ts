import { describe, expect, it } from "vitest";
import { Excuses } from "./excuses.mts";

const left = (words: string[], names: string[]): string[] => {
  const excuses = new Excuses();
  excuses.hear(words);
  return excuses.without(names);
};

describe("what was said excuses a thing by its name", () => {
  it.each([
    [
      "a zone",
      'brightdata: An update that was cut short may have created zone "f_7ab1", which may be in no state. If it is there, declare a Zone with `name: "f_7ab1"` and `adopt: true` to manage it, or delete it in the control panel.',
      ["zone f_7ab1", "zone f_7ab2", "port 24000"],
      ["zone f_7ab2", "port 24000"],
    ],
    [
      "one IP of a zone where one is named",
      "brightdata: An update that was cut short may have added 1 IP to zone shop, which cost money. Look at its IPs in the control panel, and give back those that you do not need.",
      ["ip shop/198.18.0.5", "ip web/198.18.0.6", "ip shop/198.18.0.7"],
      ["ip web/198.18.0.6", "ip shop/198.18.0.7"],
    ],
    [
      "as many IPs of a zone as are named",
      "brightdata: An update that was cut short may have added 2 IPs to zone shop, which cost money. Look at its IPs in the control panel, and give back those that you do not need.",
      ["ip shop/198.18.0.5", "ip web/198.18.0.6", "ip shop/198.18.0.7", "ip shop/198.18.0.8"],
      ["ip web/198.18.0.6", "ip shop/198.18.0.8"],
    ],
    [
      "IPs that are named",
      "198.18.0.5, 198.18.0.6 came to zone web after 3 IPs had been asked for in an update that was cut short. They are fewer than that and may be somebody else's, so they are left alone. Give back those that you do not need.",
      ["ip web/198.18.0.5", "ip web/198.18.0.6", "ip web/198.18.0.7"],
      ["ip web/198.18.0.7"],
    ],
    [
      "one port, where nobody knows its number",
      "Could not create a proxy port: POST http://127.0.0.1:40002/api/proxies answered 500: Internal Server Error. Whether the proxy port was created is not known: it has not turned up so far, but may do so later. The next `pulumi up` on this machine looks for it again.",
      ["port 24000", "port 24001", "port 40002"],
      ["port 24001", "port 40002"],
    ],
    [
      "ports of a range",
      "An update that was cut short has created 3 ports of set that the program does not declare: 24000–24001, 24005. As another resource may have taken them over since, they are kept. To manage them, declare them with `adopt: true`.",
      ["port 24000", "port 24001", "port 24002", "port 24005"],
      ["port 24002"],
    ],
    [
      "ports that are named one by one",
      "brightdata: port 24001, port 24002 are kept: another resource of this program is to take them over. Should that fail, and the program not ask for it again, declare them again, with `adopt: true` where the resource has that input, or delete them by hand.",
      ["port 24000", "port 24001", "port 24002"],
      ["port 24000"],
    ],
    [
      "an IP that has come, as the sentence after it says",
      "brightdata: 1 IP of zone shop is gone that this resource had, and 198.18.0.14 has come since. Whether as a replacement is not certain, so what has come is left alone. Each IP costs money: give back those that you do not need.",
      ["ip shop/198.18.0.14", "ip shop/198.18.0.15"],
      ["ip shop/198.18.0.15"],
    ],
    [
      "a ban",
      "An update that was cut short may have created a ban of 192.0.2.7 on port 24900, which may be in no state. If it is there, lift it with a PortIpUnban.",
      ["ban 24900/192.0.2.7", "ban 24900/192.0.2.8", "port 24900"],
      ["ban 24900/192.0.2.8", "port 24900"],
    ],
    [
      "a password of a zone",
      "An update that was cut short may have added a password to zone web, which may be in no state. Look at its passwords in the control panel, and remove what you do not need.",
      ["password web/one", "password web/other", "zone web"],
      ["password web/other", "zone web"],
    ],
    [
      "entries of a zone's lists that are named",
      'brightdata: What an update that was cut short may have put on the lists of who may use zone "web" is still there: 192.0.2.1. It may be somebody else\'s, so it is left alone. Declare it with `adopt: true` (`deniedIps`) to manage it, or remove it in the control panel.',
      ["denied web/192.0.2.1", "denied web/192.0.2.2", "denied shop/192.0.2.1"],
      ["denied web/192.0.2.2", "denied shop/192.0.2.1"],
    ],
    [
      "a zone's list that is kept for another resource",
      "allowedIps of zone web is kept: another resource of this program is to take it over. Should that fail, declare it again.",
      ["allowed web/203.0.113.7", "denied web/192.0.2.1", "allowed shop/203.0.113.7", "zone web"],
      ["denied web/192.0.2.1", "allowed shop/203.0.113.7", "zone web"],
    ],
    [
      "both lists of a zone that are kept for another resource",
      "allowedIps of zone web, deniedIps of zone web are kept: another resource of this program is to take them over.",
      ["allowed web/203.0.113.7", "denied web/192.0.2.1", "denied shop/192.0.2.1"],
      ["denied shop/192.0.2.1"],
    ],
  ])("%s", (_, words, names, expected) => {
    expect(left([words], names)).toEqual(expected);
  });

  it.each([
    [
      "a line of progress",
      "looking for the addition of 2 IPs to zone web, which an update that was cut short may have created",
    ],
    [
      "a wait that was cancelled",
      'The update was cancelled, looking for the addition of 2 IPs to zone "web", which an update that was cut short may have created.',
    ],
    [
      "what a resource has",
      "zone web belongs to another resource of this program now, and is kept: nothing is deleted.",
    ],
    ["what was taken up", "Took up port 24000, which an update that was cut short had created."],
    ["an error that is certain", 'Could not create zone "web": POST http://127.0.0.1:1/zone answered 400: no.'],
    ["what names nothing", "An update that was cut short may have created something."],
  ])("not %s", (_, words) => {
    const names = ["zone web", "ip web/198.18.0.5", "port 24000", "password web/one"];
    expect(left([words], names)).toEqual(names);
  });
});
