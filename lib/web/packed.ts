import "server-only";
import type { z } from "zod";
import type { Ctx } from "@/lib/domain/access";
import { hasTag } from "./conditional";
import { answer } from "./route";
import { requestCtx } from "./session";

/** JSON that was made and compressed once for everybody who asks in the same moment. */
type Packed = { etag: string; json: string; gzip: Uint8Array };

/**
 * Make a read fetchable whose answer is shared: each request is let in for itself, and gets the same bytes. Who accepts
 * `application/gzip` gets the JSON as it was packed; that is a type of its own, since Next strips a Content-Encoding from what
 * a route answers and would compress the JSON anew for each of them.
 */
export function getPacked<S extends z.ZodType>(schema: S, read: (ctx: Ctx, question: z.output<S>) => Promise<Packed>) {
  return (request: Request): Promise<Response> =>
    answer(async () => {
      const ctx = await requestCtx(request);
      const { etag, json, gzip } = await read(ctx, schema.parse(Object.fromEntries(new URL(request.url).searchParams)));
      const isPacked = /\bapplication\/gzip\b/i.test(request.headers.get("accept") ?? "");
      const tag = isPacked ? etag.replace(/"$/, '-gzip"') : etag;
      const headers = { etag: tag, "cache-control": "private, no-cache", vary: "accept, authorization, cookie" };
      if (hasTag(request, tag)) return new Response(null, { status: 304, headers });
      return isPacked
        ? new Response(Buffer.from(gzip), { headers: { ...headers, "content-type": "application/gzip" } })
        : new Response(json, { headers: { ...headers, "content-type": "application/json" } });
    });
}
