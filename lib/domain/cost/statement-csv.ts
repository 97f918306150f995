import type { CsvCell } from "@/lib/domain/csv";
import { decimalText } from "./decimal";
import type { StatementAnswer } from "./statement";

const USD = 1_000_000n;
const GIB = 1n << 30n;

const usd = (micros: string | null): CsvCell =>
  micros === null ? null : { number: decimalText(BigInt(micros), USD, 6) };

/** Columns of a statement as a table; one row per line, so that the amounts add up to the total. */
export const STATEMENT_COLUMNS = [
  "month",
  "accounting_zone",
  "statement",
  "section",
  "team",
  "project",
  "environment",
  "what",
  "provider_id",
  "type",
  "region",
  "original_day",
  "minutes",
  "gib_hours",
  "price_usd",
  "amount_usd",
  "at_least_usd",
  "at_most_usd",
  "rows_without_amount",
  "remark",
] as const;

type Row = Partial<Record<(typeof STATEMENT_COLUMNS)[number], CsvCell>>;

/** The rows of a statement; of everybody's one row per project, of a team's one per resource and price. */
export function statementRows({ content, status }: Pick<StatementAnswer, "content" | "status">): CsvCell[][] {
  const head: Row = {
    month: content.month,
    accounting_zone: content.zone,
    statement: status === "closed" ? content.scope : `${content.scope} (draft)`,
  };
  const rows: Row[] = [];
  for (const part of content.parts) {
    const owner = {
      section: part.isShared ? "shared pot" : "resources",
      team: part.team,
      project: part.project,
      environment: part.environment,
    };
    const lines = part.lines.length > 0 ? part.lines : [{ ...part, name: "", typeName: null, region: "" }];
    for (const line of lines) {
      const bytes = "byteHours" in line ? line.byteHours : null;
      rows.push({
        ...owner,
        what: line.name,
        provider_id: "externalId" in line ? line.externalId : null,
        type: line.typeName ?? ("charge" in line && line.charge === "storage" ? "storage" : null),
        region: line.region,
        minutes: line.minutes,
        gib_hours: bytes === null ? null : { number: decimalText(BigInt(bytes), GIB, 6) },
        price_usd: usd("priceMicros" in line ? line.priceMicros : null),
        amount_usd: usd(line.micros),
        at_least_usd: usd(line.lowMicros),
        at_most_usd: usd(line.highMicros),
        rows_without_amount: line.unknownRows,
      });
    }
  }
  // For everybody the pots stand above in full; their parts would count twice.
  const parts = content.team === null ? [] : content.shared;
  for (const { pot, team, project, micros } of parts)
    rows.push({ section: "part of shared cost", team, project, what: pot, amount_usd: usd(micros) });
  for (const { kind, team, project, description, micros } of content.charges)
    rows.push({ section: kind, team, project, what: description, amount_usd: usd(micros) });
  for (const one of content.corrections)
    rows.push({
      section: "correction",
      team: one.team,
      project: one.project,
      what: one.name,
      original_day: one.day,
      minutes: one.minutes,
      amount_usd: usd(one.micros),
      remark: one.why,
    });
  return rows.map((row) => STATEMENT_COLUMNS.map((name) => ({ ...head, ...row })[name] ?? null));
}
