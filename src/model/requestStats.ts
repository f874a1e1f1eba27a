import { flag, list, named, number, text, type ValueOf, type ValuesOf } from "../declaration/property";

export const requestCount = named("RequestCount", "Requests that have something in common.", {
  key: text({ says: "What they have in common: a port, a status, a domain or a protocol.", required: true }),
  reqs: number({ says: "How many there were.", required: true }),
  success: number({ says: "How many of them succeeded.", required: true }),
  inBw: number({ says: "What was received.", unit: "bytes", required: true }),
  outBw: number({ says: "What was sent.", unit: "bytes", required: true }),
  bypassBw: number({
    says: "What was not sent through Bright Data's network, because of a rule of the port.",
    unit: "bytes",
    required: true,
  }),
  bypassCost: number({ says: "What that saved, as the manager estimates.", unit: "US dollars", required: true }),
});

/** Statistics of the requests since they were last reset. Those by which not a byte was moved do not count. */
export const requestStats = {
  total: number({ says: "Number of all requests.", required: true }),
  success: number({ says: "How many of them succeeded.", required: true }),
  ports: list(requestCount, { says: "By port.", required: true }),
  statusCodes: list(requestCount, {
    says: "By status of the response; the 20 most frequent.",
    required: true,
  }),
  hostnames: list(requestCount, { says: "By registered domain of the target; the 20 most frequent.", required: true }),
  protocols: list(requestCount, { says: "By protocol.", required: true }),
  sslEnable: flag({ says: "Whether there is a port that could analyze SSL and does not.", required: true }),
  sslWarning: flag({
    says: "Whether the statistics of HTTPS requests are less detailed because of that.",
    required: true,
  }),
} as const;

export type RequestCount = ValueOf<typeof requestCount>;

export type RecentStats = ValuesOf<typeof requestStats>;
