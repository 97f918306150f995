import { createHash } from "node:crypto";

/** A browser may show it again for a day without asking. */
const KEPT = "private, max-age=86400, immutable";
/** Kept, and asked for again each time. */
const ASKED_AGAIN = "private, no-cache";

/** JSON with a strong tag of its content; without a body where the asker has that content already. */
export function tagged(request: Request, body: string, isSettled: boolean): Response {
  const etag = tagOf(body);
  const headers = { etag, "cache-control": isSettled ? KEPT : ASKED_AGAIN, vary: "authorization, cookie" };
  if (hasTag(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": "application/json" } });
}

export function tagOf(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;
}

/** Whether the asker says that it has the content of this tag (RFC 9110, 13.1.2: weakly compared, in a list). */
export function hasTag(request: Request, etag: string): boolean {
  const given = request.headers.get("if-none-match");
  if (given === null) return false;
  return given.trim() === "*" || given.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
