import type pg from "pg";
import { type Client, pool } from "@/lib/db/client";

/** A month by its name: "2026-10". */
export type Month = string;

/** Whatever can be asked: the pool, or a connection inside a transaction. */
export type Asked = Pick<pg.ClientBase, "query">;

/** The transaction of a person's change, asked in SQL; its questions must cast what is no text, number, truth or instant. */
export function asking(tx: Client): Asked {
  const query = async (text: string, values: readonly unknown[] = []) => ({
    rows: await tx.$queryRawUnsafe<unknown[]>(text, ...values),
  });
  // The one method that is used, with the two arguments that are given.
  return { query } as unknown as Asked;
}

export type PeriodStatus = "open" | "closing" | "closed";

/** What the database says when somebody writes into a month that is closed. */
export const CLOSED_CODE = "HD002";

export function isClosedError(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === CLOSED_CODE;
}

/** The names ("2026-10") of the months that are closed: none of their rows can be written any more. */
export async function closedMonths(client: Asked = pool()): Promise<Set<Month>> {
  const { rows } = await client.query<{ month: Month }>(
    "select to_char(month, 'YYYY-MM') as month from period where status = 'closed'",
  );
  return new Set(rows.map(({ month }) => month));
}

/** The month in which a charge of a month counts: itself, or the first one after it that is not closed. */
export function countingMonth(month: Month, closed: ReadonlySet<Month>): Month {
  let at = month;
  while (closed.has(at)) at = nextMonth(at);
  return at;
}

function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7);
}

export type Period = {
  month: Month;
  status: PeriodStatus;
  zone: string;
  rowCount: number | null;
  totalMicros: bigint | null;
  contentHash: string | null;
  closedAt: Date | null;
  closedBy: string | null;
  checklist: unknown;
};

const SELECT = `select to_char(p.month, 'YYYY-MM') as month, p.status::text as status, p.zone, p.row_count as "rowCount", p.total_micros::text as "totalMicros",
   encode(p.content_hash, 'hex') as "contentHash", p.closed_at as "closedAt", u.name as "closedBy", p.checklist
 from period p left join app_user u on u.id = p.closed_by_id`;

type Raw = Omit<Period, "totalMicros"> & { totalMicros: string | null };

const toPeriod = (row: Raw): Period => ({
  ...row,
  totalMicros: row.totalMicros === null ? null : BigInt(row.totalMicros),
});

/** What is said of a month; one of which nothing is said is open. */
export async function findPeriod(month: Month, client: Asked = pool()): Promise<Period> {
  const { rows } = await client.query<Raw>(`${SELECT} where p.month = $1::date`, [`${month}-01`]);
  const [row] = rows;
  return row
    ? toPeriod(row)
    : {
        month,
        status: "open",
        zone: "",
        rowCount: null,
        totalMicros: null,
        contentHash: null,
        closedAt: null,
        closedBy: null,
        checklist: {},
      };
}

/** Every month of which something is said, the newest first. */
export async function listPeriods(client: Asked = pool()): Promise<Period[]> {
  const { rows } = await client.query<Raw>(`${SELECT} order by p.month desc`);
  return rows.map(toPeriod);
}
