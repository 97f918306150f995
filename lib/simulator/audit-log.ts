import { problems } from "./problems";
import { hashText } from "./random";
import { isRecord } from "./request-body";
import type { AuditEntry } from "./types";
import { type AuditEventView, auditEventView } from "./views";

type Page = { data: AuditEventView[]; page_token: string | null };

/**
 * One page of `GET /audit-events`: `start` and `end` inclusive, oldest first unless `isOutOfOrder`. A token also holds
 * the instant of the first page, so that later events do not shift the pages.
 */
export function auditPage(
  entries: readonly AuditEntry[],
  query: URLSearchParams,
  options: { pageSize: number; isOutOfOrder: boolean; visibleTo: number },
): Page {
  const start = instant(query, "start") ?? Number.NEGATIVE_INFINITY;
  const end = instant(query, "end") ?? Number.POSITIVE_INFINITY;
  const { offset, asOf } = readToken(query.get("page_token")) ?? { offset: 0, asOf: options.visibleTo };
  const resource = query.get("resource_type");
  const wanted = entries.filter(
    ({ at, resource: kind }) =>
      at >= start && at <= end && at <= asOf && (resource === null || resource === `cloud.${kind}`),
  );
  wanted.sort(options.isOutOfOrder ? (a, b) => hashText(a.id) - hashText(b.id) : (a, b) => a.at - b.at);
  const next = offset + options.pageSize;
  return {
    data: wanted.slice(offset, next).map(auditEventView),
    page_token: next < wanted.length ? Buffer.from(JSON.stringify({ offset: next, asOf })).toString("base64url") : null,
  };
}

function instant(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) {
    throw problems.invalid(`Error in request query at '${name}': Input should be a valid datetime or date`);
  }
  return at;
}

function readToken(token: string | null): { offset: number; asOf: number } | null {
  if (token === null) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (isRecord(value) && typeof value.offset === "number" && typeof value.asOf === "number") {
      return { offset: value.offset, asOf: value.asOf };
    }
  } catch {
    // Not one of ours: refused below like any other wrong token.
  }
  throw problems.invalid("Error in request query at 'page_token': Input should be a valid page token");
}
