import "server-only";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { AppError } from "@/lib/errors";

const SENT_LIMIT = 4 * 1024 * 1024;
const TEXT_LIMIT = 16 * 1024 * 1024;
/** A honest report shrinks to a tenth or so; a bomb shrinks a thousandfold. */
const RATIO_LIMIT = 200;
const ARRIVAL_MS = 10_000;

const unzip = promisify(gunzip);

/** The credential that a program sends. */
export function bearerOf(request: Request): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

/** What a header says before its parameters, in lower case; null where it is absent. */
export function encodingOf(request: Request): string | null {
  return request.headers.get("content-encoding")?.trim().toLowerCase() ?? null;
}

/**
 * The body of a request as text, unpacked where it came packed; whatever is too large or too slow is refused. With `isStrict`
 * so is a body that is not UTF-8, and a mark of byte order is text like any other.
 */
export async function readText(request: Request, isStrict = false): Promise<string> {
  const encoding = encodingOf(request) ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") {
    throw new AppError("unsupported", `Content-Encoding ${encoding.slice(0, 40)} is not taken; send gzip or none.`);
  }
  const sent = await readBytes(request);
  const plain = encoding === "gzip" ? await unpack(sent) : sent;
  try {
    return new TextDecoder("utf-8", { fatal: isStrict, ignoreBOM: isStrict }).decode(plain);
  } catch {
    throw new AppError("invalid", "The body is not UTF-8. Nothing was stored.");
  }
}

/** The body of a request as it was sent, of at most 4 MiB, arriving within 10 s. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > SENT_LIMIT) throw tooLarge();
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
        throw tooLarge();
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

function tooLarge(): AppError {
  return new AppError("too-large", "The body is larger than 4 MiB; send it in parts. Nothing was stored.");
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
