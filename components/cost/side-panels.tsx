import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import type { CostAnswer, CostRow } from "@/lib/domain/cost/view";
import { formatUsd, formatUsdRate, NBSP } from "@/lib/domain/format";
import { monthHref, monthName, unknownWords } from "./words";

/** Which lives nobody can be sure of, why, and how far the amount may be off. */
export function DoubtPanel({ data }: { data: CostAnswer }) {
  const rows = data.resources.filter((row) => row.doubt !== null);
  return (
    <Panel title="To look at" sub="where the record leaves room">
      {rows.length === 0 ? (
        <p className="muted">Every beginning and end of this month is known to within the time between two polls.</p>
      ) : (
        <ul className="cost-list">
          {rows.slice(0, 6).map((row) => (
            <Doubt key={row.id} row={row} />
          ))}
          {rows.length > 6 && <li className="muted">{rows.length - 6} more; the file marks them</li>}
        </ul>
      )}
    </Panel>
  );
}

function Doubt({ row }: { row: CostRow }) {
  const isExact = row.lowMicros === row.highMicros;
  return (
    <li>
      <p className="cost-line">
        <Link className="name-link ellipsis" href={`/fleet/${row.id}` as Route}>
          {row.name}
        </Link>
        <span className="num">
          {isExact ? formatUsd(row.micros) : `${formatUsd(row.lowMicros)} to ${formatUsd(row.highMicros)}`}
        </span>
      </p>
      {row.doubt && (
        <p className="muted">
          Beginning: {row.doubt.from}. End: {row.doubt.to}.
        </p>
      )}
    </li>
  );
}

/** Prices that changed within the month. */
export function PricePanel({ data }: { data: CostAnswer }) {
  if (data.priceChanges.length === 0) return null;
  return (
    <Panel title="Prices that changed" sub="from the minute they were seen on">
      <ul className="cost-list">
        {data.priceChanges.slice(0, 8).map((change) => (
          <li key={`${change.sku} ${change.at}`}>
            <p className="cost-line">
              <span className="mono text-12 ellipsis">{change.sku}</span>
              <span className="num">
                {formatUsdRate(change.beforeMicros).replace("/h", "")} to <b>{rateOf(change.sku, change.micros)}</b>
              </span>
            </p>
            <p className="muted">
              <Instant at={change.at} />
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function rateOf(sku: string, micros: string): string {
  return sku === "filesystem" ? `${formatUsd(micros)}/GiB-month` : formatUsdRate(micros);
}

/** The months of which there is anything. */
export function MonthsPanel({ data }: { data: CostAnswer }) {
  return (
    <Panel title="Months">
      <ul className="cost-list">
        {data.months.slice(0, 13).map((one) => (
          <li key={one.month} className="cost-line" aria-current={one.month === data.month ? "page" : undefined}>
            {one.month === data.month ? (
              <b>{monthName(one.month)}</b>
            ) : (
              <Link className="link" href={monthHref({ ...one, by: data.by })}>
                {monthName(one.month)}
              </Link>
            )}
            <span className="num">
              {one.unknownRows > 0 && (
                <span className="muted">
                  {unknownWords(one.unknownRows)}
                  {NBSP}
                </span>
              )}
              {formatUsd(one.micros)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
