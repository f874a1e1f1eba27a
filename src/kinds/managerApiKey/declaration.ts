import { kind, triggers } from "../../declaration/kind";
import { flag, text } from "../../declaration/property";

export const managerApiKey = kind("ManagerApiKey", {
  says: "The key of the local Proxy Manager's API. A manager has one. The existing key is used as it is; a key is generated only if there is none, and when a trigger changes. Destroying the resource leaves the key.",
  brief: "the key of the Proxy Manager's API, rotated by a trigger",
  service: "manager",
  id: { says: "Always `apiKey`.", example: "apiKey" },
  endpoints: ["GET /api/config", "GET /api/gen_token", "GET /api/settings"],
  timeouts: 60,
  inputs: {
    triggers: {
      ...triggers(),
      says: "Values of any kind, such as a month. When any of them changes, a new key is generated, five times an hour at most. **The previous key then stops working at once, for everybody.**",
      onChange: "a new key is generated",
    },
  },
  outputs: {
    apiKey: text({
      says: "The key. It is sent in the header `Authorization`, without `Bearer`.",
      secret: true,
      required: true,
      isVolatile: true,
    }),
    imported: flag({ hidden: true }),
  },
  fails: "the key may not be read from here, or five were generated within the hour",
  example: `const key = new brightdata.ManagerApiKey("key", { triggers: ["2026-05"] });
export const apiKey = key.apiKey;`,
});
