import type { Intent } from "@/lib/db/intents";
import { AppError } from "@/lib/errors";

/** Answers a repeated request with the intent that it made the first time. An id that means something else is refused. */
export function sameRequest(known: Intent, asked: Pick<Intent, "kind" | "targetId">): { id: string } {
  if (known.kind !== asked.kind || known.targetId !== asked.targetId)
    throw new AppError(
      "conflict",
      "This request's id belongs to another request. Open the page again; nothing was sent.",
    );
  return { id: known.id };
}
