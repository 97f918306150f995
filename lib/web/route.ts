import "server-only";
import type { z } from "zod";
import type { Ctx } from "@/lib/domain/access";
import { AppError, failure, httpStatus } from "@/lib/errors";
import { tagged } from "./conditional";
import { reportError } from "./report-error";
import { requestCtx } from "./session";

const BODY_LIMIT = 1024 * 1024;

type Context = { params: Promise<Record<string, string | string[] | undefined>> };

/**
 * Make a read fetchable: the same verb the page calls, answered as JSON. Path parameters and query make up the question. With
 * `isSettled` the answer carries a tag of its content, so that asking again costs no body where nothing changed; an answer
 * that will not change any more is kept by the asker.
 */
export function get<S extends z.ZodType, T>(
  schema: S,
  read: (ctx: Ctx, question: z.output<S>) => Promise<T>,
  isSettled?: (ctx: Ctx, question: z.output<S>, answer: T) => boolean,
) {
  return (request: Request, context: Context): Promise<Response> =>
    answer(async () => {
      const ctx = await requestCtx(request);
      const question = schema.parse({
        ...Object.fromEntries(new URL(request.url).searchParams),
        ...(await context.params),
      });
      const found = await read(ctx, question);
      return isSettled ? tagged(request, JSON.stringify(found), isSettled(ctx, question, found)) : json(found);
    });
}

/** Make a verb callable by programs, with the same rights as in the browser; a body of at most 1 MiB unless more is said. */
export function post<S extends z.ZodType, T>(
  schema: S,
  verb: (ctx: Ctx, input: z.output<S>) => Promise<T>,
  bodyLimit = BODY_LIMIT,
) {
  return (request: Request, context: Context): Promise<Response> =>
    answer(async () => {
      const ctx = await requestCtx(request);
      const body = await readJson(request, bodyLimit);
      return json(await verb(ctx, schema.parse({ ...body, ...(await context.params) })), 201);
    });
}

/** Runs a handler; expected failures become their status, the rest a 500 with a reference. */
export async function answer(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    try {
      const { code, message, fields, retryAfterMs } = failure(error);
      const headers = retryAfterMs === null ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) };
      return json({ error: { code, message, fields } }, httpStatus[code], headers);
    } catch {
      const reference = reportError("route", error);
      return json(
        {
          error: { code: "internal", message: `Something went wrong on our side; reference ${reference}.`, fields: {} },
        },
        500,
      );
    }
  }
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "cache-control": "private, no-store", ...headers } });
}

async function readJson(request: Request, limit: number): Promise<Record<string, unknown>> {
  const text = await request.text();
  if (text.length > limit) throw new AppError("too-large", `The body is larger than ${limit / 1024 / 1024} MiB.`);
  try {
    const value: unknown = JSON.parse(text || "{}");
    if (value && typeof value === "object" && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw new AppError("invalid", "The body is not a JSON object.");
}
