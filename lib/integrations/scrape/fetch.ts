import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { request } from "undici";
import { type Format, formatOf } from "@/lib/domain/exposition/parse";
import { checkedUrl, type Outbound, OutboundError, wayTo } from "@/lib/integrations/outbound";

export type FetchedPage = { text: string; format: Format };

export type Credential = { kind: "bearer" | "basic"; secret: string };

const DEADLINE_MS = 10_000;
const PAGE_LIMIT = 4 * 1024 * 1024;
/** A metrics page shrinks to a twentieth or so; a bomb shrinks a thousandfold. */
const RATIO_LIMIT = 200;
const ACCEPT = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";

/** Exporters listen on any port of their own; below 1024 only where the web is. */
function isExporterPort(port: string): boolean {
  return port === "" || port === "80" || port === "443" || Number(port) >= 1024;
}

export function checkedTarget(url: string, allowedCidrs: readonly string[]): URL {
  return checkedUrl(url, allowedCidrs, isExporterPort);
}

/**
 * Fetches the metrics page of an address that a person configured. All of it within 10 s and 4 MiB, zipped or not; redirects
 * are not followed. Throws an OutboundError that says what is wrong with it.
 */
export async function fetchPage(
  target: string,
  credential: Credential | null,
  options: Outbound & { deadlineMs?: number },
): Promise<FetchedPage> {
  const url = checkedTarget(target, options.allowedCidrs);
  const signal = AbortSignal.timeout(options.deadlineMs ?? DEADLINE_MS);
  const dispatcher = await wayTo(url, options).catch((error) => {
    throw told(error, signal);
  });
  try {
    const response = await request(url, {
      method: "GET",
      dispatcher,
      headers: {
        accept: ACCEPT,
        "accept-encoding": "gzip",
        "user-agent": "hopperdeck",
        ...(credential && { authorization: authorization(credential) }),
      },
      signal,
    });
    const header = (name: string) => {
      const value = response.headers[name];
      return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
    };
    if (response.statusCode !== 200) {
      const place = header("location") === null ? "" : " (it points elsewhere, which is not followed)";
      throw new OutboundError(`The page answered ${response.statusCode}${place}.`);
    }
    const bytes = await readBytes(response.body, header("content-encoding"));
    return { text: decode(bytes), format: formatOfPage(header("content-type")) };
  } catch (error) {
    throw told(error, signal);
  } finally {
    await dispatcher.destroy().catch(() => {});
  }
}

function authorization({ kind, secret }: Credential): string {
  return kind === "bearer" ? `Bearer ${secret}` : `Basic ${Buffer.from(secret, "utf8").toString("base64")}`;
}

/** What does not say what it is is taken for text, as Prometheus does. */
function formatOfPage(contentType: string | null): Format {
  if (contentType?.startsWith("application/vnd.google.protobuf"))
    throw new OutboundError("The page is protobuf, which was not asked for.");
  return formatOf(contentType) ?? "text";
}

async function readBytes(body: Readable, encoding: string | null): Promise<Buffer> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  if (name !== "identity" && name !== "gzip")
    throw new OutboundError(`The page comes as ${name.slice(0, 40)}, which was not asked for.`);
  let sent = 0;
  body.on("data", (chunk: Buffer) => {
    sent += chunk.length;
  });
  const plain = name === "gzip" ? body.pipe(createGunzip()) : body;
  // What breaks off before it is unpacked must break off what reads it.
  if (plain !== body) body.once("error", (error) => plain.destroy(error));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of plain) {
    size += chunk.length;
    if (size > PAGE_LIMIT) throw new OutboundError("The page is larger than 4 MiB.");
    if (size > 65_536 && size > sent * RATIO_LIMIT)
      throw new OutboundError("The page grows more than 200-fold when unpacked.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new OutboundError("The page is not UTF-8.");
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name cannot be looked up now",
  ECONNRESET: "the connection broke off",
  UND_ERR_SOCKET: "the connection broke off",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the connection broke off",
  UND_ERR_CONNECT_TIMEOUT: "nobody answers there",
  EHOSTUNREACH: "there is no way there",
  ENETUNREACH: "there is no way there",
  Z_DATA_ERROR: "it is not the gzip that its header says",
  Z_BUF_ERROR: "its gzip breaks off",
};

function told(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted) return new OutboundError("The page did not arrive in time (10 s).");
  const { code, message } = error as { code?: string; message?: string };
  return new OutboundError(`The page could not be fetched: ${CAUSES[code ?? ""] ?? code ?? message ?? "unknown"}.`);
}
