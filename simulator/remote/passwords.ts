import { json, type SimulatedResponse, text } from "../service";
import { type Call, namedZone, objectBody, queriedZone, type Routes, textList } from "./call";
import { refuse } from "./refusal";

export const passwordRoutes: Routes = {
  "GET /zone/passwords": (call) => json({ passwords: queriedZone(call, 422).password }),
  "POST /zone/add_password": add,
  "POST /zone/remove_password": remove,
};

function add(call: Call): SimulatedResponse {
  const { zone: name, password } = objectBody(call);
  const zone = namedZone(call, name, 400);
  zone.password = [...new Set([...zone.password, ...textList(password, "Invalid password")])];
  return text("OK");
}

function remove(call: Call): SimulatedResponse {
  const { zone: name, password } = objectBody(call);
  const zone = namedZone(call, name, 400);
  const unwanted = textList(password, "Invalid password");
  if (!unwanted.every((each) => zone.password.includes(each))) throw refuse(400, "Invalid password");
  const remaining = zone.password.filter((each) => !unwanted.includes(each));
  if (remaining.length === 0) throw refuse(400, "Zone should have at least one password");
  zone.password = remaining;
  return text("OK");
}
