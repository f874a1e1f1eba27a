import * as pulumi from "@pulumi/pulumi";
import { type Port as PortInputs, ports } from "../ports";

// A dynamic provider as it is usually written: a client in a class, the class in a resource, an instance for each.
class ManagerClient {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

class PortProvider implements pulumi.dynamic.ResourceProvider {
  readonly client: ManagerClient;

  constructor(client: ManagerClient) {
    this.client = client;
  }

  async create(inputs: PortInputs): Promise<pulumi.dynamic.CreateResult> {
    const { port, zone, country } = inputs;
    await this.client.send("POST", "/api/proxies", { proxy: { port, zone, country } });
    return { id: String(port), outs: { port, zone, country } };
  }

  async update(id: pulumi.ID, _olds: PortInputs, news: PortInputs): Promise<pulumi.dynamic.UpdateResult> {
    const { port, zone, country } = news;
    await this.client.send("PUT", `/api/proxies/${id}`, { proxy: { zone, country } });
    return { outs: { port, zone, country } };
  }

  async delete(id: pulumi.ID): Promise<void> {
    await this.client.send("POST", "/api/proxies/delete", { ports: [Number(id)] });
  }
}

class Port extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: PortInputs) {
    const url = process.env.BRIGHTDATA_PROXY_MANAGER_URL ?? "http://127.0.0.1:22999";
    super(new PortProvider(new ManagerClient(url)), name, inputs);
  }
}

for (const port of ports) new Port(`port-${port.port}`, port);
