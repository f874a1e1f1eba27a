/** Sends a request to a service as a dashboard would, behind the provider's back, and returns what it answers. */
export async function send(url: string, method: string, path: string, body?: object, token?: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
}
