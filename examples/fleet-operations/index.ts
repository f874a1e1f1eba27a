import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const zone = config.require("zone");
const edition = config.require("edition");
const ipEdition = config.require("ipEdition");
const words = (key: string): string[] => config.require(key).split(/\s+/).filter(Boolean);

// Everything else in the manager waits for the restart, which cuts connections and clears sessions and bans.
const restarts: pulumi.Resource[] = [];
if (config.requireBoolean("upgrade")) {
  const upgrade = new brightdata.ManagerUpgrade("latest", { triggers: [edition] });
  restarts.push(new brightdata.ManagerRestart("latest", { triggers: [upgrade.version] }));
}

const key = new brightdata.ManagerApiKey("api", { triggers: [edition] }, { dependsOn: restarts });

const members = words("users").map((email) => {
  const user = new brightdata.ManagerUser(email, { email }, { dependsOn: restarts });
  const port = new brightdata.ProxyPort(email, { zone, user: user.email, userPassword: user.password });
  new brightdata.PortIpUnban(email, { port: port.port, triggers: [edition] });
  new brightdata.PortSessionRefresh(email, { port: port.port, triggers: [edition] });
  return { user, port };
});

// Without `port`, it applies to all ports, including those that were created by hand.
const ports = members.map(({ port }) => port);
new brightdata.PortSslEnable("all", { triggers: [edition] }, { dependsOn: ports });

const replacements = words("blockedIps").map((ip) => {
  const [first] = ports;
  if (!first) throw new pulumi.RunError("`blockedIps` are replaced through a user's port: set `users`.");
  return new brightdata.PortIpRefresh(ip, { port: first.port, ip });
});

if (ipEdition !== "") {
  new brightdata.ZoneIpRefresh("all", { zone, all: true, triggers: [ipEdition] }, { dependsOn: replacements });
}

export const apiKey = key.apiKey;
export const proxies = pulumi
  .all(members.map(({ user, port }) => pulumi.all([user.email, user.password, port.listenPort])))
  .apply((all) =>
    Object.fromEntries(
      all.map(([email, password, port]) => [
        email,
        `http://${encodeURIComponent(email)}:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      ]),
    ),
  );
export const replacedIps = pulumi
  .all(replacements.map(({ ip, newIp }) => pulumi.all([ip, newIp])))
  .apply((all) => Object.fromEntries(all));
