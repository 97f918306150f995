import "server-only";
import { refresh } from "next/cache";
import { unstable_rethrow } from "next/navigation";
import type { z } from "zod";
import type { Ctx } from "@/lib/domain/access";
import { AppError, failure, type Result } from "@/lib/errors";
import { reportError } from "./report-error";
import { actionCtx, requireSameOrigin } from "./session";

/** Make a verb callable from the browser: identify, validate, run, re-render, and answer with a value. */
export function action<S extends z.ZodType, T>(schema: S, verb: (ctx: Ctx, input: z.output<S>) => Promise<T>) {
  return async (input: z.input<S> | FormData): Promise<Result<T>> => {
    try {
      const ctx = await actionCtx();
      const data = await verb(ctx, schema.parse(plain(input)));
      refresh();
      return { ok: true, data };
    } catch (error) {
      return refused(error);
    }
  };
}

/** The same for the two things a stranger may do: look at an invitation, and accept it. */
export function strangerAction<S extends z.ZodType, T>(schema: S, verb: (input: z.output<S>) => Promise<T>) {
  return async (input: z.input<S> | FormData): Promise<Result<T>> => {
    try {
      await requireSameOrigin();
      return { ok: true, data: await verb(schema.parse(plain(input))) };
    } catch (error) {
      return refused(error);
    }
  };
}

function plain(input: unknown): unknown {
  return input instanceof FormData
    ? Object.fromEntries([...input].filter(([name]) => !name.startsWith("$ACTION_")))
    : input;
}

function refused(error: unknown): { ok: false; error: ReturnType<typeof failure> } {
  unstable_rethrow(error);
  try {
    return { ok: false, error: failure(error) };
  } catch {
    const reference = reportError("action", error);
    return {
      ok: false,
      error: failure(
        new AppError(
          "unavailable",
          `Something went wrong on our side; nothing was half-done. Try again; reference ${reference}.`,
        ),
      ),
    };
  }
}
