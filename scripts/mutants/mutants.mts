/** A change of the sources after which something is lost, paid for twice, or taken from somebody else. */
export interface Mutant {
  name: string;
  file: string;
  /** What stands there, once, and what stands there instead. */
  text: string;
  becomes: string;
  breaks: string;
}

const ownership: readonly Mutant[] = [
  {
    name: "port deleted whoever has it",
    file: "src/kinds/proxyPort/lifecycle.ts",
    text: 'ours(live, state, step) === undefined ? "another program\'s by now" : undefined',
    becomes: "undefined",
    breaks: "a port that another program has made under the number is deleted",
  },
  {
    name: "zone adopted that another has",
    file: "src/kinds/zone/lifecycle.ts",
    text: 'if (context.claims.whoHas(zoneThing(name), me) !== "has") return;',
    becomes: "return;",
    breaks: "two resources of a program have one zone, and the deletion of one takes it from the other",
  },
  {
    name: "zone taken over unasked",
    file: "src/kinds/zone/lifecycle.ts",
    text: "if (!isTakenUp && inputs.adopt !== true) {",
    becomes: "if (false) {",
    breaks: "somebody else's zone is taken over without `adopt`, and deleted in the end",
  },
  {
    name: "port taken from another",
    file: "src/kinds/proxyPort/adoption.ts",
    text: 'if (context.claims.whoHas(portThing(port), me) !== "has") return;',
    becomes: "return;",
    breaks: "two resources of a program have one port",
  },
  {
    name: "IPs of another resource",
    file: "src/kinds/zoneIps/ipLists.ts",
    text: "return this.step.context.claims.isAnothers(ipThing(this.zone, ip), this.step.me);",
    becomes: "return false;",
    breaks: "IPs of one zone count as those of each of its resources",
  },
  {
    name: "deletion of all that others have",
    file: "src/run/decisions.ts",
    text: "gone: isMore && !isGoing ? gone : undefined",
    becomes: "gone: isGoing ? undefined : gone",
    breaks: "what another resource has taken over is deleted",
  },
  {
    name: "declared twice",
    file: "src/run/planning.ts",
    text: "return declarations?.declareOnce(kind, this.#lifecycle.holdings(undefined, inputs).has, registration) ?? [];",
    becomes: "return [];",
    breaks: "two resources of a program make, change and delete one thing",
  },
  {
    name: "deletion asks nobody",
    file: "src/run/operations.ts",
    text: "things.filter((thing) => claims.isAnothers(thing, me));",
    becomes: "[] as string[];",
    breaks: "a deletion takes away what a rename has given to another resource",
  },
  {
    name: "predecessor with a mark that stays",
    file: "src/run/operations.ts",
    text: 'const me = claims.isStaying(own.me.mark ?? "") ? {} : own.me;',
    becomes: "const me = own.me;",
    breaks: "a replaced resource deletes what its successor has",
  },
  {
    name: "deleted is not noted",
    file: "src/run/operations.ts",
    text: 'claims.note("deleted", deleted);',
    becomes: 'claims.note("deleted", []);',
    breaks: "a resource believes that it has what another has deleted",
  },
  {
    name: "deleted in this run is not noticed",
    file: "src/run/planning.ts",
    text: "return has.length > 0 && has.every((thing) => claims.deleted.has(thing));",
    becomes: "return false;",
    breaks: "what another resource has deleted is kept in the state, and missing",
  },
  {
    name: "refuses no one what was taken",
    file: "src/run/planning.ts",
    text: "if (taken.length === 0) return;",
    becomes: "return;",
    breaks: "two resources go on to have one thing",
  },
  {
    name: "stands on nothing",
    file: "src/run/resources.ts",
    text: "this.holdings(known).standsOn.some((thing) => claims.renewed.has(thing));",
    becomes: "false;",
    breaks: "what stands on a replaced zone is not made anew",
  },
  {
    name: "update takes from others",
    file: "src/run/operations.ts",
    text: "left.filter((thing) => claims.isAnothers(thing, step.me))",
    becomes: "([] as string[])",
    breaks: "an update takes away what it gives up, though another resource takes it over",
  },
  {
    name: "update knows nothing of losses",
    file: "src/run/operations.ts",
    text: "        ...this.#resources.lost(known, claims),\n",
    becomes: "",
    breaks: "an update keeps in its state what another has taken over",
  },
  {
    name: "adoption claims nothing",
    file: "src/lifecycle/claims.ts",
    text: 'return strength === "has" || strength === "adopts";',
    becomes: 'return strength === "has";',
    breaks: "what is about to be taken over is deleted before",
  },
  {
    name: "any claim counts as having",
    file: "src/lifecycle/claims.ts",
    text: 'return strength === "has" || strength === "adopts";',
    becomes: "return strength !== undefined;",
    breaks: "what two resources have is kept when both of them go, since a refresh has read either",
  },
  {
    name: "weakest claim counts",
    file: "src/lifecycle/claims.ts",
    text: "STRENGTHS.findLast(",
    becomes: "STRENGTHS.find(",
    breaks: "what one resource has, and another only reads, may be deleted",
  },
  {
    name: "going leaves claims",
    file: "src/lifecycle/claims.ts",
    text: "this.#made.delete(thing);\n    this.#replace(mark, {});",
    becomes: "this.#made.delete(thing);",
    breaks: "what a replaced resource had is kept for ever",
  },
  {
    name: "staying claims nothing",
    file: "src/lifecycle/claims.ts",
    text: "if (place !== undefined) this.comes(place, {});\n    this.#replace(mark, claimed);",
    becomes: "if (place !== undefined) this.comes(place, {});",
    breaks: "what a resource keeps may be deleted by one that is removed",
  },
  {
    name: "made again stays deleted",
    file: "src/lifecycle/claims.ts",
    text: "      this.deleted.delete(thing);\n",
    becomes: "",
    breaks: "what was made anew is taken for deleted",
  },
  {
    name: "announcements unheard",
    file: "src/lifecycle/claims.ts",
    text: "if (!this.#told.has(place)) this.#replace(nameOf({ place }), { adopts: things });",
    becomes: "",
    breaks: "what a resource is to take over later in the run is deleted before",
  },
  {
    name: "scopes not united",
    file: "src/lifecycle/scope.ts",
    text: "    this.claims.absorb(other.claims);\n",
    becomes: "",
    breaks: "two tokens of one account do not know of each other's claims",
  },
];

const locks: readonly Mutant[] = [
  {
    name: "no lock per thing",
    file: "src/lifecycle/scope.ts",
    text: "each.flatMap(([locks, key]) => locks.get(key) ?? [])",
    becomes: "[] as Promise<unknown>[]",
    breaks: "two resources change one thing at the same time",
  },
  {
    name: "update locks only what it gets",
    file: "src/run/operations.ts",
    text: "wholes([...this.#lifecycle.holdings(known?.id, props).has, ...had])",
    becomes: "wholes(this.#lifecycle.holdings(known?.id, props).has)",
    breaks: "what an update gives up is taken over at the same time",
  },
  {
    name: "no lock for allowlists",
    file: "src/kinds/whitelistIp/lifecycle.ts",
    text: 'context.alone("allowlists", () => task().finally(() => context.managerSettings.forget()), deadline)',
    becomes: "task().finally(() => context.managerSettings.forget())",
    breaks: "of two addresses that are written at the same time, one is lost",
  },
];

const intents: readonly Mutant[] = [
  {
    name: "acknowledges another backend's",
    file: "src/run/acknowledge.ts",
    text: "if (!isSavedLast && isKnown)",
    becomes: "if (!isSavedLast)",
    breaks: "a copy of a stack forgets what the other was killed in",
  },
  {
    name: "state saved last is ignored",
    file: "src/run/acknowledge.ts",
    text: "if (!isSavedLast && isKnown)",
    becomes: "if (isKnown)",
    breaks: "where the state is saved at the end, a kill before that loses what was made",
  },
  {
    name: "no intent is written",
    file: "src/run/journal.ts",
    text: "    await this.#intents.begin(begun, owner, this.#begun > 0);\n",
    becomes: "",
    breaks: "what a killed run has made is made again",
  },
  {
    name: "no intent is taken up",
    file: "src/lifecycle/creation.ts",
    text: "await takeUp(creation, noted, step);",
    becomes: "await takeUp(creation, undefined, step);",
    breaks: "what a killed run has made is made again",
  },
  {
    name: "recorded intents stay",
    file: "src/run/intents.ts",
    text: "for (const each of all) if (!later.includes(each)) closeFile(each);",
    becomes: "",
    breaks: "what a state has is looked for again, and reported as left",
  },
  {
    name: "lost answer is a refusal",
    file: "src/lifecycle/creation.ts",
    text: "if (isUnsettled(error, step)) return whatBecameOf(error, creation, step);",
    becomes: "",
    breaks: "what was made, and whose answer was lost, is made again",
  },
  {
    name: "taken name is a refusal",
    file: "src/lifecycle/creation.ts",
    text: "if (isSeenLate && (isHad || before !== undefined) && error instanceof AlreadyExistsError) {",
    becomes: "if (false) {",
    breaks: "the resource's own zone, visible late, is somebody else's",
  },
  {
    name: "did not happen, at once",
    file: "src/lifecycle/verdict.ts",
    text: 'if (now >= until) return "did not happen";',
    becomes: 'if (!mayRepeat) return "did not happen";',
    breaks: "what comes late is bought again",
  },
  {
    name: "ours at any time",
    file: "src/lifecycle/verdict.ts",
    text: 'return isProven || now <= until + GRACE_MS ? "ours" : "nobody can tell";',
    becomes: 'return "ours";',
    breaks: "what somebody else has made long after is taken over",
  },
  {
    name: "too many are ours",
    file: "src/lifecycle/verdict.ts",
    text: 'if (found > count) return "nobody can tell";',
    becomes: 'if (found > count) return "ours";',
    breaks: "what others have added at the same time is taken over",
  },
  {
    name: "every date fits",
    file: "src/lifecycle/verdict.ts",
    text: 'return isThen ? "then" : "at another time";',
    becomes: 'return "then";',
    breaks: "what somebody else has made at another time is taken over",
  },
  {
    name: "foreign intents",
    file: "src/run/meaning.ts",
    text: "const isForeign = intent.backend !== backend;",
    becomes: "const isForeign = false;",
    breaks: "a stack takes up what one of another backend has begun",
  },
  {
    name: "any account will do",
    file: "src/run/meaning.ts",
    text: "const isSameAccount = account === undefined || here.account === undefined || account === here.account;",
    becomes: "const isSameAccount = true;",
    breaks: "what was begun in one account is looked for in another",
  },
  {
    name: "living writers",
    file: "src/run/journal.ts",
    text: "      if (!isAlive(writer, this.#intents.writer, until)) return false;\n",
    becomes: "      if (Date.now() > 0) return false;\n",
    breaks: "what another process is about to make is made twice",
  },
];

const lists: readonly Mutant[] = [
  {
    name: "what an answer gave is not awaited",
    file: "src/kinds/zoneIps/ipLists.ts",
    text: "const late = gone.filter((name) => awaited.includes(name));",
    becomes: "const late: string[] = [];",
    breaks: "what an answer has given, and lists tell of late, is bought again",
  },
  {
    name: "one kind of witness is enough",
    file: "src/lifecycle/witnesses.ts",
    text: "const isAgreed = await agrees([...listed]);",
    becomes: "const isAgreed = true;",
    breaks: "what two late lists lack is bought again",
  },
  {
    name: "empty list of ports is believed",
    file: "src/kinds/bannedIp/portBan.ts",
    text: "if (ports.length > 0) return !ports.includes(port);",
    becomes: "return !ports.includes(port);",
    breaks: "a port is forgotten since one answer was empty",
  },
  {
    name: "address taken over unasked",
    file: "src/kinds/whitelistIp/lifecycle.ts",
    text: "else if (inputs.adopt !== true && !isReleased) {",
    becomes: "else if (false) {",
    breaks: "an address that somebody else has allowed is taken off in the end",
  },
  {
    name: "whole list is written",
    file: "src/kinds/whitelistIp/lifecycle.ts",
    text: "setWwwWhitelistIps([...others, entry.ip], step.deadline)",
    becomes: "setWwwWhitelistIps([entry.ip], step.deadline)",
    breaks: "addresses that others have allowed are taken off",
  },
  {
    name: "whole list is emptied",
    file: "src/kinds/whitelistIp/lifecycle.ts",
    text: "wwwWhitelistIps.filter((other) => canonicalAddress(other) !== ip);",
    becomes: "[] as string[];",
    breaks: "addresses that others have allowed are taken off",
  },
];

const identity: readonly Mutant[] = [
  {
    name: "another account's",
    file: "src/run/account.ts",
    text: "if (guarded === undefined || known?.isMoved === true || guarded === account) return account;",
    becomes: "if (account !== undefined) return account;",
    breaks: "with another account's token, its things are changed",
  },
  {
    name: "silence is consent",
    file: "src/run/account.ts",
    text: 'if (owner.silence === "may not ask" || guarded === undefined || known === undefined) return undefined;',
    becomes: "if (owner !== undefined) return undefined;",
    breaks: "where nobody says whose the token is, another account's things are changed",
  },
  {
    name: "silence erases the account",
    file: "src/run/operations.ts",
    text: "account: isKept ? known.location : account,",
    becomes: "account,",
    breaks: "a state forgets its account, and the guard with it",
  },
  {
    name: "marks of sets are not read",
    file: "src/kinds/proxyPort/mark.ts",
    text: "if (state.mark !== undefined) return pulumiId === state.mark ? live : undefined;",
    becomes: "if (state.mark !== undefined) return live;",
    breaks: "another port under a number of a set is changed",
  },
  {
    name: "missing marks are excused",
    file: "src/kinds/proxyPort/mark.ts",
    text: "if (pulumiId === undefined) return isKnown ? undefined : live;",
    becomes: "if (pulumiId === undefined) return live;",
    breaks: "a port that was made by hand is changed and deleted",
  },
  {
    name: "other marks are excused",
    file: "src/kinds/proxyPort/mark.ts",
    text: "return bearsMark(live, state, step) ? live : undefined;",
    becomes: "return live;",
    breaks: "another resource's port is changed and deleted",
  },
  {
    name: "what is unlike is recognized",
    file: "src/run/recognition.ts",
    text: 'if (!isAlike) return "another";',
    becomes: "",
    breaks: "after a move to another provider, something else is taken for the resource",
  },
];

export const MUTANTS: readonly Mutant[] = [...ownership, ...locks, ...intents, ...lists, ...identity];
