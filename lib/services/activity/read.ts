import { type ActRow, type ActWhere, listActs } from "@/lib/db/activity";
import { findConnection } from "@/lib/db/fleet/connection";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { whatOf } from "@/lib/domain/activity/groups";
import { type ActivityQuestion, partsOf } from "@/lib/domain/activity/question";
import { scopeOf } from "@/lib/domain/activity/scope";
import { ACTIVITY_COLUMNS } from "@/lib/domain/activity/table";
import type { Act, ActivityAnswer, Who } from "@/lib/domain/activity/view";
import { actionsCalled, actWords, providerWords } from "@/lib/domain/activity/words";
import { type Changes, changes } from "@/lib/domain/audit";
import { providerActor } from "@/lib/domain/fleet/provider-actor";
import { cellsOf, type TableFile } from "@/lib/domain/table";
import { tableFile } from "@/lib/services/table";

const PAGE = 60;
const DAY_MS = 24 * 3_600_000;
const KINDS: Record<Who, ActRow["actorKind"][] | null> = {
  all: null,
  people: ["user", "token"],
  outside: ["outside"],
  system: ["system"],
};

/** The audit trail and Lambda's own log in one list, as far as the role sees them. */
export async function readActivity(ctx: Ctx, question: ActivityQuestion): Promise<ActivityAnswer> {
  authorize(ctx, "audit:read");
  const { words } = scopeOf(ctx.actor);
  const [after, ...key] = question.after?.split(":") ?? [];
  const [rows, connection] = await Promise.all([
    listActs({
      ...asked(ctx, question),
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

const MOST_ACTS = 20_000;

/** All acts that the page would list, as a file; where there are too many, so many of the newest. */
export async function exportActivity(ctx: Ctx, question: ActivityQuestion): Promise<TableFile> {
  authorize(ctx, "audit:read");
  authorize(ctx, "export");
  const { words } = scopeOf(ctx.actor);
  const rows = await listActs({
    ...asked(ctx, question),
    after: null,
    limit: MOST_ACTS + 1,
  });
  const { zone } = await readSetting("accounting");
  return tableFile(ctx, zone, {
    name: "activity",
    title: "Activity",
    about: [
      ["Who", question.who],
      ["What", question.what],
      ["Source", question.source],
      ["Period", question.days === "all" ? "all" : `${question.days} days`],
      ["Filter", question.q.trim() || "none"],
      ...(words === null ? [] : ([["Left out", words]] as const)),
      ...(rows.length > MOST_ACTS ? ([["Cut", `the newest ${MOST_ACTS} acts`]] as const) : []),
    ],
    ...cellsOf(ACTIVITY_COLUMNS, rows.slice(0, MOST_ACTS).map(actOf)),
  });
}

/** What is asked of the list, but for its pages. */
function asked(
  ctx: Ctx,
  { who, what, source, q, days, from, to }: ActivityQuestion,
): Omit<ActWhere, "after" | "limit"> {
  const { words: _, ...scope } = scopeOf(ctx.actor);
  const { text, by, on } = partsOf(q);
  const since = days === "all" ? undefined : ctx.now.getTime() - Number(days) * DAY_MS;
  const at = (instant: number | undefined) => (instant === undefined ? null : new Date(instant));
  return {
    ...scope,
    kinds: KINDS[who],
    source: source === "all" ? null : source,
    what: whatOf(what),
    by,
    on,
    from: at(from ?? since),
    to: at(to),
    text,
    named: actionsCalled(text),
  };
}

function actOf(row: ActRow): Act {
  const isOutside = row.actorKind === "outside";
  const name = providerActor(row.actor);
  return {
    key: row.key,
    at: row.at.getTime(),
    source: row.source === "trail" ? "hopperdeck" : "lambda",
    who: { kind: row.actorKind, name, mark: name === row.actor ? null : row.actor },
    action: row.action,
    words: row.source === "log" ? providerWords(row.action, isOutside) : actWords(row.action),
    subject: row.subject,
    href: row.isThere && row.subjectId !== null ? (PLACES[row.subjectKind]?.(row.subjectId) ?? null) : null,
    // The column holds what `mutate` wrote, and the provider's log what the poller kept of it.
    changes: row.source === "log" ? changes(null, row.changes as object) : (row.changes as Changes),
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
  period: (month) => `/cost/${month}`,
};
