import "server-only";
import { randomBytes } from "node:crypto";
import { redact } from "@/lib/domain/redact";

/** Writes an unexpected error to the log and returns the reference that people may quote. */
export function reportError(where: string, error: unknown): string {
  const reference = randomBytes(4).toString("hex");
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `${JSON.stringify({ level: "error", where, reference, error: redact(text).slice(0, 4_000) })}\n`,
  );
  return reference;
}
