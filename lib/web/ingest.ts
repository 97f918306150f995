import "server-only";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { AppError } from "@/lib/errors";
import { readNow } from "@/lib/services/clock";
import { ingest, senderToken } from "@/lib/services/telemetry/ingest";
import { answer, json } from "./route";

const SENT_LIMIT = 4 * 1024 * 1024;
const TEXT_LIMIT = 16 * 1024 * 1024;
/** A honest report shrinks to a tenth or so; a bomb shrinks a thousandfold. */
const RATIO_LIMIT = 200;
const ARRIVAL_MS = 10_000;

const unzip = promisify(gunzip);

/** POST /api/v1/ingest/nvidia-smi: what nvidia-smi printed, as the agent sends it or as it is. */
export async function takeReport(request: Request): Promise<Response> {
  return answer(async () => {
    const now = await readNow();
    const bearer = /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
    const token = await senderToken(bearer, now);
    return json(await ingest(token, await readText(request), now));
  });
}

async function readText(request: Request): Promise<string> {
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding !== "identity" && encoding !== "gzip") {
    throw new AppError("unsupported", `Content-Encoding ${encoding.slice(0, 40)} is not taken; send gzip or none.`);
  }
  const sent = await readBytes(request);
  const plain = encoding === "gzip" ? await unpack(sent) : sent;
  return new TextDecoder("utf-8").decode(plain);
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    void reader?.cancel();
  }, ARRIVAL_MS);
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done || !value) break;
      size += value.length;
      if (size > SENT_LIMIT) {
        await reader?.cancel();
        throw new AppError("too-large", "The body is larger than 4 MiB; send it in parts. Nothing was stored.");
      }
      chunks.push(value);
    }
  } finally {
    clearTimeout(deadline);
  }
  if (isLate)
    throw new AppError("unavailable", "The body took longer than 10 s to arrive. Send it again; nothing was stored.");
  return Buffer.concat(chunks);
}

async function unpack(sent: Uint8Array): Promise<Uint8Array> {
  try {
    const plain = await unzip(sent, {
      maxOutputLength: Math.min(TEXT_LIMIT, Math.max(64 * 1024, sent.length * RATIO_LIMIT)),
    });
    return plain;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new AppError(
        "too-large",
        "The body grows beyond 16 MiB, or more than 200-fold, when unpacked. Nothing was stored.",
      );
    }
    throw new AppError("invalid", "The body is not the gzip that its header says.");
  }
}
