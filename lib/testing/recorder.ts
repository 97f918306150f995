import { createServer, type IncomingMessage } from "node:http";

export type Recorded = {
  /** By the cloud's clock. */
  at: number;
  method: string;
  /** After the base address, with its query. */
  path: string;
  contentType: string | null;
  authorization: string | null;
  body: string;
  /** Of the answer; null: there was none. */
  status: number | null;
};

export type Recorder = { url: string; requests: Recorded[]; close(): Promise<void> };

/** Stands between a client and the cloud, and writes down what really went over the wire. */
export async function startRecorder(target: string, now: () => number): Promise<Recorder> {
  const requests: Recorded[] = [];
  const base = new URL(target).pathname;
  const server = createServer((request, response) => {
    pass(request).then(
      ({ status, type, body }) => response.writeHead(status, { "content-type": type }).end(body),
      // What the cloud does not answer is not answered here either.
      () => request.socket.destroy(),
    );
  });

  async function pass(request: IncomingMessage): Promise<{ status: number; type: string; body: Buffer }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString("utf8");
    const { method = "GET", url = "/", headers } = request;
    const path = url.startsWith(base) ? url.slice(base.length) : url;
    const recorded: Recorded = {
      at: now(),
      method,
      path,
      contentType: headers["content-type"] ?? null,
      authorization: headers.authorization ?? null,
      body,
      status: null,
    };
    requests.push(recorded);
    const answer = await fetch(`${target}${path}`, {
      method,
      headers: {
        ...(headers.authorization && { authorization: headers.authorization }),
        ...(headers["content-type"] && { "content-type": headers["content-type"] }),
      },
      ...(body !== "" && { body }),
    });
    recorded.status = answer.status;
    const type = answer.headers.get("content-type") ?? "application/octet-stream";
    return { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
