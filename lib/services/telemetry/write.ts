import type { Token } from "@/lib/db/tokens";
import { byMachine } from "@/lib/domain/remote-write/machines";
import { readWriteRequest, type WriteRequest } from "@/lib/domain/remote-write/request";
import { BodyError } from "@/lib/domain/remote-write/snappy";
import { isWantedSeries } from "@/lib/domain/remote-write/wanted";
import { readingsFromSamples } from "@/lib/domain/telemetry/from-metrics";
import { emptyReport } from "@/lib/domain/telemetry/report";
import { AppError } from "@/lib/errors";
import { type IngestAnswer, takeIn } from "./take-in";

/** `refused`: what was not taken, in words; the rest is stored either way. */
export type WriteAnswer = { ignored: number; refused: string | null };

/** Takes a request of remote write 1.0 in, one report per machine that it speaks of. Series of no use here are left out. */
export async function takeWrite(token: Token, body: Uint8Array, receivedAt: Date): Promise<WriteAnswer> {
  const request = readRequest(body);
  const machines = byMachine(request.samples);
  if (machines.length > 1 && (token.resourceId !== null || token.intentId !== null))
    throw new AppError(
      "forbidden",
      `This token belongs to one instance, and the request speaks of ${machines.length}. Make a token for all of them; nothing was stored.`,
    );
  const parts = machines.map(({ hostname, privateIp, samples }) => {
    const { batches, problems, sightings, labelled } = readingsFromSamples(samples, receivedAt.getTime(), {
      isWhole: false,
    });
    const report = { ...emptyReport(), batches, problems, sightings, labelled };
    return { sender: { kind: "remote_write" as const, token, hostname, privateIp }, report };
  });
  const answers = parts.length === 0 ? [] : await takeIn(parts, receivedAt);
  return {
    ignored: request.ignored,
    refused: refusedWords(
      request,
      answers,
      parts.flatMap(({ report }) => report.problems),
    ),
  };
}

function readRequest(body: Uint8Array): WriteRequest {
  try {
    return readWriteRequest(body, isWantedSeries);
  } catch (error) {
    if (error instanceof BodyError)
      throw new AppError(error.isTooLarge ? "too-large" : "invalid", `${error.message}. Nothing was stored.`);
    throw error;
  }
}

function refusedWords(
  request: WriteRequest,
  answers: readonly IngestAnswer[],
  problems: readonly { message: string }[],
): string | null {
  const found = new Map<string, { count: number; example: string | null }>();
  const add = (reason: string, count: number, example: string | null) => {
    const before = found.get(reason);
    found.set(reason, { count: (before?.count ?? 0) + count, example: before?.example ?? example });
  };
  for (const [reason, count] of request.malformed) add(reason, count, null);
  for (const { message } of problems) add(message, 1, null);
  for (const { refused } of answers)
    for (const { reason, count, example } of refused) add(reason.replaceAll("_", " "), count, example);
  if (found.size === 0) return null;
  const told = [...found].map(
    ([reason, { count, example }]) => `${count} × ${reason}${example ? ` (${example})` : ""}`,
  );
  return `Refused, and not to be sent again: ${told.join("; ")}. The rest was stored.`;
}
