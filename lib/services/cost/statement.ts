import { canonicalRows, findStatement, listStatements } from "@/lib/db/cost/close";
import { findPeriod } from "@/lib/db/cost/periods";
import { readStatementFacts } from "@/lib/db/cost/statement";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { CANONICAL_HEAD, canonicalLine } from "@/lib/domain/cost/canonical";
import type { MonthQuestion } from "@/lib/domain/cost/close";
import {
  type StatementAnswer,
  StatementContent,
  type StatementQuestion,
  scopeOf,
  statementOf,
  teamsOf,
} from "@/lib/domain/cost/statement";
import { STATEMENT_COLUMNS, statementRows } from "@/lib/domain/cost/statement-csv";
import { monthOf } from "@/lib/domain/cost/zone";
import type { TableFile } from "@/lib/domain/table";
import { AppError } from "@/lib/errors";
import { revisionOf } from "@/lib/services/table";

/** A month's statement: of a closed month what was told then, to the letter; of another one a draft of now. */
export async function readStatement(ctx: Ctx, { month, team }: StatementQuestion): Promise<StatementAnswer> {
  authorize(ctx, "cost:read");
  const period = await findPeriod(month);
  const now = ctx.now.getTime();
  if (period.status === "closed") {
    const [found, statements] = await Promise.all([findStatement(month, scopeOf(team)), listStatements(month)]);
    if (!found) throw new AppError("not-found", `Nobody of that name had any cost in ${month}. Choose another team.`);
    return {
      now,
      status: "closed",
      asOf: period.closedAt?.getTime() ?? now,
      content: StatementContent.parse(found.content),
      hash: found.hash,
      contentHash: period.contentHash,
      closedBy: period.closedBy,
      teams: statements.flatMap(({ scope }) => (scope === "all" ? [] : [scope.slice("team:".length)])),
    };
  }
  const { zone } = await readSetting("accounting");
  if (month > monthOf(now, zone)) throw new AppError("not-found", `${month} has not begun. Choose an earlier month.`);
  const facts = await readStatementFacts(month);
  const teams = teamsOf(facts);
  if (team !== undefined && !teams.includes(team))
    throw new AppError("not-found", `Nobody of that name has any cost in ${month}. Choose another team.`);
  return {
    now,
    status: period.status,
    asOf: now,
    content: statementOf(facts, month, zone, team ?? null),
    hash: null,
    contentHash: null,
    closedBy: null,
    teams,
  };
}

/** The same as a file. */
export async function exportStatement(ctx: Ctx, question: StatementQuestion): Promise<TableFile> {
  authorize(ctx, "export");
  const answer = await readStatement(ctx, question);
  const who = question.team === undefined ? "all" : plainName(question.team || "unallocated");
  const draft = answer.status === "closed" ? "" : "-draft";
  const rows = statementRows(answer);
  return {
    name: `hopperdeck-statement-${question.month}-${who}${draft}`,
    title: answer.status === "closed" ? "Statement" : "Statement, a draft of now",
    about: [
      ["Month", question.month],
      ["Team", question.team === undefined ? "Everybody" : question.team || "Nobody was named"],
    ],
    columns: STATEMENT_COLUMNS,
    zone: answer.content.zone,
    asOf: answer.asOf,
    revision: answer.hash?.slice(0, 16) ?? revisionOf(rows),
    rows: eachOf([rows]),
  };
}

/** The bytes that a month's content hash is taken of: `sha256sum` of the file of a closed month is its hash. */
export async function exportContent(
  ctx: Ctx,
  { month }: MonthQuestion,
): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  return { name: `hopperdeck-content-${month}.csv`, lines: contentLines(month) };
}

async function* contentLines(month: string): AsyncGenerator<string> {
  yield CANONICAL_HEAD;
  for await (const rows of canonicalRows(month)) yield rows.map(canonicalLine).join("");
}

async function* eachOf<T>(parts: Iterable<T>): AsyncGenerator<T> {
  yield* parts;
}

/** A file's name is told in a header: letters, figures, dots and dashes. */
function plainName(text: string): string {
  return text.replaceAll(/[^\w.-]+/g, "-").slice(0, 60);
}
