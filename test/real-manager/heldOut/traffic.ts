import { PAGE, SECURE } from "../alike";
import type { Group } from "./group";

const page = { line: `GET ${PAGE}` };

/** Requests among changes of their port. */
export const traffic: Group = {
  "sessions come and go": [
    {},
    page,
    page,
    ["POST /api/refresh_sessions/PORT"],
    page,
    ["POST /api/refresh_sessions/PORT"],
    page,
    { line: `GET ${PAGE}`, headers: { "x-lpm-session": "mine" } },
    page,
    { line: `GET ${PAGE}`, headers: { "x-lpm-country": "jp" } },
    page,
    ["PUT /api/proxies/PORT", { proxy: { session: "fixed" } }],
    page,
    ["POST /api/refresh_sessions/PORT"],
    page,
    ["PUT /api/proxies/PORT", { proxy: { session: "" } }],
    page,
  ],
  "sessions of a pool": [{ pool_size: 2 }, page, page, page, page, ["POST /api/refresh_sessions/PORT"], page, page],
  "sessions that do not rotate": [{ rotate_session: false }, page, page, page, { line: `GET ${SECURE}`, via: "tunnel" }, page],
  "IPs by turns": [{ ips: ["198.51.100.1", "198.51.100.2"], pool_size: 2 }, page, page, page, page],
  "banned and free again": [
    { max_ban_retries: 1 },
    page,
    ["POST /api/proxies/PORT/banip", { ip: "198.18.0.3" }],
    page,
    page,
    ["POST /api/proxies/PORT/unbanips"],
    page,
    ["POST /api/proxies/PORT/banip", { ip: "198.18.0.3", domain: "brdtest.com" }],
    page,
    ["POST /api/proxies/PORT/unbanips"],
    page,
  ],
  "another zone, another country": [
    {},
    page,
    ["PUT /api/proxies/PORT", { proxy: { zone: "res" } }],
    page,
    ["PUT /api/proxies/PORT", { proxy: { country: "br" } }],
    page,
    ["PUT /api/proxies/PORT", { proxy: { zone: "off" } }],
    page,
    ["PUT /api/proxies/PORT", { proxy: { zone: "nosuch" } }],
    page,
    ["PUT /api/proxies/PORT", { proxy: { zone: "static", country: "" } }],
    page,
  ],
};
