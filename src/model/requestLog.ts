import {
  choice,
  count,
  flag,
  list,
  named,
  number,
  object,
  text,
  type ValueOf,
  type ValuesOf,
} from "../declaration/property";

const contentType = { says: "As the manager sorts responses, such as `html`, `xhr` (JSON), `other`." } as const;
const protocol = { says: "`http` or `https`." } as const;

const headers = list(
  named("LogHeader", "A header. One that was sent several times is there several times.", {
    name: text({ says: "Name of the header.", required: true }),
    value: text({ says: "Its value.", required: true }),
  }),
  { says: "The headers.", required: true },
);

const request = object(
  {
    method: text({ says: "The method.", required: true }),
    url: text({ says: "The URL.", required: true }),
    host: text({ says: "The target's registered domain, or its IP." }),
    headers,
    body: text({ says: "The whole body.", required: true }),
  },
  { named: "LogRequest", says: "The request.", required: true },
);

const response = object(
  {
    status: number({ says: "Status code. Absent if there was no response, as for a tunnel." }),
    statusText: text({ says: "Words of the status.", required: true }),
    headers,
    mimeType: text({ says: "Type of the body." }),
    size: number({ says: "Size of the whole body.", unit: "bytes" }),
    body: text({
      says: "As much of the body as `harLimit` lets the manager keep; nothing of images, scripts and stylesheets.",
      required: true,
    }),
  },
  { named: "LogResponse", says: "The response.", required: true },
);

/** A request that went through a port. Its headers and bodies are those of the client, and may hold credentials of it. */
export const logEntry = named("LogEntry", "A request that went through a port.", {
  uuid: text({ says: "Its id.", required: true }),
  startedDateTime: text({ says: "When it began, ISO 8601.", required: true }),
  time: number({
    says: "Time from beginning to end. Absent if the manager does not know it.",
    unit: "milliseconds",
  }),
  context: text({ says: "Why it was made, such as `RESPONSE` or `STATUS CHECK`." }),
  port: number({ says: "Number of the port that it went through." }),
  protocol: text(protocol),
  contentType: text(contentType),
  success: flag({ says: "Whether it succeeded." }),
  inBw: number({ says: "What was received.", unit: "bytes" }),
  outBw: number({ says: "What was sent.", unit: "bytes" }),
  username: text({ says: "User name for Bright Data's proxy." }),
  superProxy: text({ says: "Address of Bright Data's proxy." }),
  proxyPeer: text({ says: "IP that the target saw." }),
  remoteAddress: text({ says: "Address of the client." }),
  request,
  response,
});

/** Which of the remembered requests to read. */
export const logFilter = {
  port: count({ says: "Only requests through this port.", least: 1, example: 24000 }),
  portFrom: count({ says: "The lowest port.", least: 1 }),
  portTo: count({ says: "The highest port.", least: 1 }),
  statusCode: choice([count({}), text({ oneOf: ["1**", "2**", "3**", "4**", "5**"] })], {
    says: "Only this status, such as `200`, or all that begin with that digit.",
    expected: 'expected a status such as 200, or "1**", "2**", "3**", "4**" or "5**".',
    example: "5**",
  }),
  contentType: text(contentType),
  protocol: text(protocol),
  search: text({
    says: "A regular expression for the URL, or for the session in the user name. The manager ignores one that it finds too slow.",
  }),
  skip: count({ says: "How many to leave out at the beginning.", least: 0, default: 0 }),
  limit: count({ says: "The most to read, from 1 on.", least: 1, defaultSays: "all" }),
  sort: text({
    says: "What they are sorted by.",
    oneOf: [
      "uuid",
      "timestamp",
      "port",
      "url",
      "method",
      "hostname",
      "protocol",
      "statusCode",
      "contentType",
      "inBw",
      "outBw",
      "success",
      "username",
    ],
    default: "uuid",
  }),
  descending: flag({ says: "Whether the last come first.", default: false }),
} as const;

/** A part of the remembered requests. */
export const logPage = {
  entries: list(logEntry, {
    says: "The requests. Headers and bodies are those of the clients and contain the credentials that the clients sent.",
    secret: true,
    required: true,
  }),
  total: number({ says: "How many match the filter, regardless of `skip` and `limit`.", required: true }),
  skip: number({ says: "How many were left out at the beginning.", required: true }),
  inBw: number({ says: "What was received with all that match.", unit: "bytes", required: true }),
  outBw: number({ says: "What was sent with all that match.", unit: "bytes", required: true }),
} as const;

export type LogFilter = ValuesOf<typeof logFilter>;

export type LogEntry = ValueOf<typeof logEntry>;

export type LogPage = ValuesOf<typeof logPage>;
