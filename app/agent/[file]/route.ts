import { readAgentFile } from "@/lib/services/agent/files";

type Context = { params: Promise<{ file: string }> };

/** The agent and its installer, for anyone: they hold no secret, the token comes on the command line. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const found = await readAgentFile((await params).file);
  if (!found) return new Response("There is no such file.\n", { status: 404, headers: { "content-type": TEXT } });
  // Kept by caches, and asked for again each time: an upgrade reaches the next machine that installs.
  const headers = { "content-type": TEXT, "cache-control": "public, no-cache", etag: found.etag };
  if (request.headers.get("if-none-match") === found.etag) return new Response(null, { status: 304, headers });
  return new Response(found.text, { headers });
}

const TEXT = "text/plain; charset=utf-8";
