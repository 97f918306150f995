import "server-only";
import type { z } from "zod";
import type { Ctx } from "@/lib/domain/access";
import { answer } from "./route";
import { requestCtx } from "./session";

/** A file that is written while it is read: no row waits in memory for the last one. */
export type Download = { name: string; lines: AsyncGenerator<string> };

type Context = { params: Promise<Record<string, string | string[] | undefined>> };

/** Make a verb that writes a text file downloadable, with the same rights as in the browser; a CSV file where nothing else is said. */
export function csv<S extends z.ZodType>(
  schema: S,
  verb: (ctx: Ctx, question: z.output<S>) => Promise<Download>,
  contentType = "text/csv; charset=utf-8; header=present",
) {
  return (request: Request, context: Context): Promise<Response> =>
    answer(async () => {
      const ctx = await requestCtx(request);
      const question = schema.parse({
        ...Object.fromEntries(new URL(request.url).searchParams),
        ...(await context.params),
      });
      const { name, lines } = await verb(ctx, question);
      return new Response(streamOf(lines), {
        headers: {
          "content-type": contentType,
          "content-disposition": `attachment; filename="${name}"`,
          "cache-control": "private, no-store",
          "x-content-type-options": "nosniff",
        },
      });
    });
}

export function streamOf(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isBegun = false;
  return new ReadableStream({
    async pull(controller) {
      isBegun = true;
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    // Whoever stops reading gives back what the lines hold.
    async cancel() {
      // Lines that nobody began to read would not notice their end; what they were handed holds a connection.
      if (!isBegun) await lines.next();
      await lines.return(undefined);
    },
  });
}

/** Make a verb that hands out bytes that somebody sent downloadable: never shown, never run, whatever they are. */
export function kept<S extends z.ZodType>(
  schema: S,
  verb: (ctx: Ctx, question: z.output<S>) => Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }>,
) {
  return (request: Request, context: Context): Promise<Response> =>
    answer(async () => {
      const ctx = await requestCtx(request);
      const { name, bytes } = await verb(ctx, schema.parse(await context.params));
      return new Response(bytes, {
        headers: {
          "content-type": "application/octet-stream",
          "content-disposition": `attachment; filename="${name}"`,
          "content-security-policy": "sandbox; default-src 'none'",
          "cache-control": "private, no-store",
          "x-content-type-options": "nosniff",
        },
      });
    });
}
