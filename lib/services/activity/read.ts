import { type ActRow, checkChain, listActs } from "@/lib/db/activity";
import { findConnection } from "@/lib/db/fleet/connection";
import { authorize, type Ctx } from "@/lib/domain/access";
import { scopeOf } from "@/lib/domain/activity/scope";
import type { Act, ActivityAnswer, ActivityQuestion, Chain, Who } from "@/lib/domain/activity/view";
import { actWords, providerWords } from "@/lib/domain/activity/words";
import type { Changes } from "@/lib/domain/audit";

const PAGE = 60;
const KINDS: Record<Who, ActRow["actorKind"][] | null> = {
  all: null,
  people: ["user", "token"],
  outside: ["outside"],
  system: ["system"],
};

/** The audit trail and Lambda's own log in one list, as far as the role sees them. */
export async function readActivity(ctx: Ctx, question: ActivityQuestion): Promise<ActivityAnswer> {
  authorize(ctx, "audit:read");
  const { words, ...scope } = scopeOf(ctx.actor);
  const [after, ...key] = question.after?.split(":") ?? [];
  const [rows, connection] = await Promise.all([
    listActs({
      ...scope,
      kinds: KINDS[question.who],
      text: question.q.trim(),
      after: after === undefined ? null : { at: new Date(Number(after)), key: key.join(":") },
      limit: PAGE + 1,
    }),
    findConnection(),
  ]);
  const shown = rows.slice(0, PAGE);
  const last = shown.at(-1);
  return {
    now: ctx.now.getTime(),
    acts: shown.map(actOf),
    next: rows.length > PAGE && last ? `${last.at.getTime()}:${last.key}` : null,
    limit: words,
    eventsReadAt: connection?.eventsReadAt?.getTime() ?? null,
    eventsError: connection?.eventsError ?? null,
  };
}

/** Whether nobody has changed or removed an entry. */
export async function readChain(ctx: Ctx): Promise<Chain> {
  authorize(ctx, "audit:read");
  const { entries, brokenAt, head } = await checkChain();
  return { checkedAt: ctx.now.getTime(), entries, isIntact: brokenAt === null, brokenAt, head };
}

function actOf(row: ActRow): Act {
  const isOutside = row.actorKind === "outside";
  return {
    key: row.key,
    at: row.at.getTime(),
    source: isOutside ? "lambda" : "hopperdeck",
    who: { kind: row.actorKind, name: row.actor },
    action: row.action,
    words: isOutside ? providerWords(row.action) : actWords(row.action),
    subject: row.subject,
    href: hrefOf(row),
    // The column holds what `mutate` wrote.
    changes: row.changes as Changes,
    reason: row.reason,
    ip: row.ip,
    seq: row.seq,
    hash: row.hash,
  };
}

const PLACES: Record<string, (id: string) => string> = {
  instance: (id) => `/fleet/${id}`,
  intent: (id) => `/launch/${id}`,
  alert: (id) => `/alerts/${id}`,
  rule: (id) => `/alerts/rules/${id}`,
};

function hrefOf({ subjectKind, subjectId }: ActRow): string | null {
  if (subjectId === null || !/^[0-9a-f-]{36}$/.test(subjectId)) return null;
  return PLACES[subjectKind]?.(subjectId) ?? null;
}
