import { any, choice, count, type Facts, flag, map, object, text } from "../declaration/property";
import { HIGHEST_PORT } from "./portRange";

const EXPRESSION =
  'expected a regular expression of JavaScript, such as "\\\\.jpg$", without backticks and `${`. With any other, the rule never applies, or every request to the port fails.';

const expression = <const Says extends string>(says: Says) =>
  text({ says, must: [{ format: "expression", expected: EXPRESSION }] });

const status = <const F extends Facts>(says: string, facts: F) => {
  const expected = 'expected a regular expression that a status can match, such as "403" or "5..".';
  return choice([text({ must: [{ format: "statusExpression", expected }] }), count({ least: 100, most: 599 })], {
    expected,
    says,
    ...facts,
  });
};

const MILLISECONDS =
  'expected a whole number of milliseconds, such as 600000: the manager does not know units, and takes "10min" for 10.';

const milliseconds = <const F extends Facts>(says: string, facts: F) =>
  choice([count({ least: 0 }), text({ must: [{ pattern: /^\d+$/, expected: MILLISECONDS }] })], {
    expected: MILLISECONDS,
    unit: "milliseconds",
    says,
    ...facts,
  });

const TIMES = "expected a whole number.";

const PORT = "expected the number of a port.";

/** What a port does when a request or its response meets conditions. */
export const portRule = object(
  {
    status: status("Regular expression that the status code of the response has to match.", { example: "403" }),
    body: expression("Regular expression that the body of the response has to match."),
    url: expression("Regular expression that the URL of the request has to match."),
    minReqTime: milliseconds("Time that the request has to take at least.", {}),
    maxReqTime: milliseconds("Time that the request may take at most.", {}),
    action: object(
      {
        retry: choice(
          [count({ least: 0 }), text({ must: [{ pattern: /^(?:\d+|true|false)$/, expected: TIMES }] }), flag({})],
          { says: "How often the request is sent again, each time with a new session.", expected: TIMES },
        ),
        retryPort: choice(
          [count({ least: 0, most: HIGHEST_PORT }), text({ must: [{ pattern: /^\d{1,5}$/, expected: PORT }] })],
          {
            says: "Number of the port that the request is sent again through. Where there is none, the request is never answered.",
            expected: PORT,
          },
        ),
        banIp: milliseconds("How long the port does not use the IP; 0 for as long as the manager runs.", {
          example: 600_000,
        }),
        banIpDomain: milliseconds("The same, for the domain of the request alone.", {}),
        banIpGlobal: milliseconds("The same, for all ports; managers from 1.413 on ban on none.", {}),
        refreshIp: flag({ says: "Replaces the allocated IP with a new one, which the service charges for." }),
        reserveSession: flag({ says: "Keeps the session in the pool of reserved sessions." }),
        nullResponse: flag({ says: "Answers with an empty response, without sending the request." }),
        bypassProxy: flag({ says: "Sends the request straight to the target, without any proxy." }),
        direct: flag({ says: "Sends the request from the super proxy, without an exit peer." }),
        process: map(text({}), {
          says: "JavaScript expressions by name, whose values replaced the response in older managers.",
        }),
        requestUrl: object(
          {
            url: text({ says: "URL to send a request to." }),
            method: text({ says: "HTTP method.", default: "GET" }),
            payload: map(any({}), { says: 'Body of the request; a value `"$IP"` becomes the exit IP.' }),
          },
          {
            named: "PortRuleRequest",
            says: "Another request that is sent after this one.",
            open: true,
            respelled: true,
            mayHoldSecrets: true,
          },
        ),
      },
      {
        named: "PortRuleAction",
        says: "What is done when all conditions are met.",
        open: true,
        respelled: true,
        required: true,
        expected: "expected an action, such as { banIp: 600000 }: without one, every request to the port fails.",
      },
    ),
    actionType: text({ says: "Name of the action, as the manager's UI writes it.", example: "ban_ip" }),
    triggerType: text({ says: "Name of the condition, as the manager's UI writes it.", example: "status" }),
    type: text({
      says: "When the rule is applied: `before_send`, `after_hdr`, `after_body` or `timeout`. Needed only with `triggerCode`.",
      must: [
        {
          pattern: /^(?:before_send|after_hdr|after_body|timeout)$/,
          expected: "expected `before_send`, `after_hdr`, `after_body` or `timeout`.",
        },
      ],
    }),
    triggerCode: text({
      says: "JavaScript function `trigger` that takes the place of the conditions.",
      must: [
        {
          format: "trigger",
          expected: "expected JavaScript that declares a function `trigger`, and does not begin with a number.",
        },
      ],
    }),
  },
  {
    named: "PortRule",
    says: "What is done when a request or its response meets all conditions.",
    open: true,
    respelled: true,
  },
);
