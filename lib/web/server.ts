import { createServer, type IncomingMessage } from "node:http";
import next from "next";
import { env } from "@/lib/env";

/**
 * The web process. Next's own server would do, except for two things that only the outermost server can know:
 * the peer's true address, and how long a request may take to arrive.
 */
const SECURITY_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "same-origin",
  "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "Cross-Origin-Opener-Policy": "same-origin",
  ...(env.publicUrl.startsWith("https:") && { "Strict-Transport-Security": "max-age=31536000" }),
};

const app = next({ dev: false, dir: process.cwd(), hostname: env.host, port: env.port });
const handle = app.getRequestHandler();
await app.prepare();

let unanswered = 0;
const server = createServer(
  { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
  (request, response) => {
    unanswered++;
    response.once("close", () => unanswered--);
    sanitise(request);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    handle(request, response).catch((error: unknown) => {
      process.stderr.write(
        `${JSON.stringify({ level: "error", url: request.url?.split("?")[0], error: String(error) })}\n`,
      );
      if (!response.headersSent) response.writeHead(500).end();
    });
  },
);

server.listen(env.port, env.host, () => process.send?.("listening"));

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.once(signal, () => {
    server.close(() => process.exit(0));
    // Callers keep their connections open long after the last answer.
    setInterval(() => {
      if (unanswered === 0) server.closeAllConnections();
    }, 50);
    setTimeout(() => process.exit(0), 5_000).unref();
  });
}

/** Forwarded headers are believed from a proxy of ours only (TRUST_PROXY=1); the last hop is the one it wrote. */
function sanitise(request: IncomingMessage): void {
  const forwarded = String(request.headers["x-forwarded-for"] ?? "")
    .split(",")
    .at(-1)
    ?.trim();
  // An IPv4 address that came in over a socket for both families is shown as what it is.
  const peer = ((env.trustProxy && forwarded) || request.socket.remoteAddress || "").replace(/^::ffff:(?=\d+\.)/, "");
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith("x-forwarded-") || name.startsWith("x-middleware-") || name === "forwarded")
      delete request.headers[name];
  }
  request.headers["x-forwarded-for"] = peer;
  request.headers["x-forwarded-proto"] = new URL(env.publicUrl).protocol.replace(":", "");
  request.headers["x-forwarded-host"] = request.headers.host ?? new URL(env.publicUrl).host;
}
