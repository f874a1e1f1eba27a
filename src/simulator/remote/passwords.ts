import { json, text } from "../service";
import { namedZone, objectBody, type RemoteContext, textList } from "./call";
import { refuse } from "./refusal";

/** Lists, adds and removes a zone's passwords. */
export function addPasswordRoutes(context: RemoteContext): void {
  const { route } = context;

  route("GET", "/zone/passwords", (request) =>
    json({ passwords: namedZone(context, request.query.get("zone"), 422).password }),
  );

  route("POST", "/zone/add_password", (request) => {
    const body = objectBody(request);
    const zone = namedZone(context, body.zone, 400);
    zone.password = [...new Set([...zone.password, ...textList(body.password, "Invalid password")])];
    return text("OK");
  });

  route("POST", "/zone/remove_password", (request) => {
    const body = objectBody(request);
    const zone = namedZone(context, body.zone, 400);
    const unwanted = textList(body.password, "Invalid password");
    if (!unwanted.every((password) => zone.password.includes(password))) throw refuse(400, "Invalid password");
    const remaining = zone.password.filter((password) => !unwanted.includes(password));
    if (remaining.length === 0) throw refuse(400, "Zone should have at least one password");
    zone.password = remaining;
    return text("OK");
  });
}
