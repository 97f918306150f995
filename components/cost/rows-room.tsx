"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { FilteredToNothing } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { questionText, ROWS_PAGE, type RowsAnswer, type RowsQuestion, type SpendRow } from "@/lib/domain/cost/explore";
import { formatCount, formatNumber, formatStorage, formatUsd, formatUsdRate, NONE } from "@/lib/domain/format";
import { formatClock, formatDay } from "@/lib/domain/format-time";
import { spendRowsQuery } from "@/lib/queries/spend";
import { exactUsd } from "./exact";
import { FilterChips } from "./filter-choice";
import { boundsOf, COST_WORDS, keyWords, rowsHref, windowWords } from "./spend-words";
import { useQuestion } from "./use-question";
import { dayWords, monthName } from "./words";

/** The ledger rows that make a figure, to the micro-dollar. */
export function RowsRoom({ question, canExport }: { question: RowsQuestion; canExport: boolean }) {
  const { data } = useLive(spendRowsQuery(question));
  const { ask } = useQuestion();
  const bounds = question.hour === undefined ? boundsOf(data.total, data.cost) : null;
  const unknown = data.total.unknownRows;
  return (
    <>
      <PageTitle
        title="Ledger rows"
        badges={<Badges data={data} question={question} />}
        actions={
          canExport && (
            <TableLinks
              href={`/api/v1/cost/rows?${questionText({ ...question, page: undefined })}`}
              what="All of these rows"
            />
          )
        }
        meta={
          <>
            <span>{windowWords(data.window, data.zone)}</span>
            <span>{COST_WORDS[data.cost].toLowerCase()}, US dollars</span>
            <span>{formatCount(data.total.rows, "row")}</span>
          </>
        }
      />
      {data.filter.length > 0 && (
        <div className="cost-note">
          <FilterChips
            filters={data.filter}
            onRemove={(dimension) => ask({ [dimension]: undefined, page: undefined })}
          />
        </div>
      )}
      <Deck className="cost">
        <Panel
          span={12}
          isFlush
          title={exactUsd(data.total.micros)}
          sub={[
            "the sum of all rows, to the micro-dollar",
            bounds,
            unknown > 0 && `${formatCount(unknown, "row")} of unknown price or size: counted, and in no amount`,
          ]
            .filter(Boolean)
            .join("; ")}
        >
          {data.rows.length === 0 ? (
            <FilteredToNothing
              title="No row is of that"
              filter={data.filter
                .map(({ dimension, values }) => `${dimension}:${values.map(({ label }) => label).join(",")}`)
                .join(" ")}
              onClear={() => ask(Object.fromEntries(data.filter.map(({ dimension }) => [dimension, undefined])))}
            />
          ) : (
            <RowsTable data={data} isHour={question.hour !== undefined} />
          )}
          <Pager data={data} question={question} />
        </Panel>
      </Deck>
    </>
  );
}

function Badges({ data, question }: { data: RowsAnswer; question: RowsQuestion }) {
  return (
    <>
      {data.window.month !== null && <Badge tone="plain">as {monthName(data.window.month)} counts</Badge>}
      {question.hour !== undefined && <Badge tone="plain">the part in one hour</Badge>}
      {question.corrections && <Badge tone="plain">corrections of earlier months</Badge>}
      {question.unknown && <Badge tone="unknown">of unknown price or size</Badge>}
    </>
  );
}

function RowsTable({ data, isHour }: { data: RowsAnswer; isHour: boolean }) {
  return (
    <Table label="Ledger rows" isDense>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">What</th>
          <th scope="col" className="not-phone">
            Type, region
          </th>
          <th scope="col" className="not-phone">
            Team, project
          </th>
          <th scope="col" className="not-phone">
            From, to ({data.zone})
          </th>
          <th scope="col" className="num not-phone">
            Quantity
          </th>
          <th scope="col" className="num not-phone">
            Price
          </th>
          {!isHour && data.cost === "billed" && (
            <th scope="col" className="num wide-only">
              Lowest to highest
            </th>
          )}
          <th scope="col" className="num">
            {isHour ? "Part in the hour" : "Cost"}
          </th>
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row) => (
          <RowLine key={row.key} row={row} data={data} isHour={isHour} />
        ))}
      </tbody>
    </Table>
  );
}

function RowLine({ row, data, isHour }: { row: SpendRow; data: RowsAnswer; isHour: boolean }) {
  const isMachine = row.charge === "usage" && row.resourceId !== null;
  return (
    <tr>
      <th scope="row" className="whitespace-nowrap">
        {dayWords(row.day)}
      </th>
      <td>
        {isMachine ? (
          <Link className="name-link" href={`/fleet/${row.resourceId}` as Route}>
            {row.name}
          </Link>
        ) : (
          row.name
        )}
        {row.charge !== "usage" && <span className="muted"> {keyWords("charge", row.charge)}</span>}
        {row.isCorrection && <span className="muted"> correction, counts in {monthName(row.period)}</span>}
      </td>
      <td className="not-phone text-text-2">{[row.typeName, row.region].filter(Boolean).join(", ") || NONE}</td>
      <td className="not-phone text-text-2">
        {[row.team, row.project].filter(Boolean).join(", ") || <span className="muted">{keyWords("team", "")}</span>}
      </td>
      <td className="not-phone whitespace-nowrap text-text-2">
        {formatDay(row.startsAt, data.zone)} {formatClock(row.startsAt, data.zone)} to{" "}
        {formatClock(row.endsAt, data.zone)}
      </td>
      <td className="num not-phone text-text-2">{quantityOf(row)}</td>
      <td className="num not-phone text-text-2">{priceOf(row)}</td>
      {!isHour && data.cost === "billed" && (
        <td className="num wide-only text-text-2">
          {row.lowMicros === null || row.highMicros === null || row.lowMicros === row.highMicros
            ? "exact"
            : `${formatUsd(row.lowMicros)} to ${formatUsd(row.highMicros)}`}
        </td>
      )}
      <td className="num">
        {row.micros === null ? <span className="cost-unknown">unknown</span> : exactUsd(row.micros)}
      </td>
    </tr>
  );
}

function quantityOf({ charge, minutes, byteHours, startsAt, endsAt }: SpendRow): string {
  if (charge === "usage") return `${formatNumber(minutes)} min`;
  if (charge !== "storage" || byteHours === null) return NONE;
  const hours = Math.max(1, Math.ceil((endsAt - startsAt) / 3_600_000));
  return `${formatStorage(BigInt(byteHours) / BigInt(hours))} × ${hours} h`;
}

function priceOf({ charge, priceMicros }: SpendRow): string {
  if (priceMicros === null) return NONE;
  return charge === "storage" ? `${formatUsd(priceMicros)}/GiB-month` : formatUsdRate(priceMicros);
}

function Pager({ data, question }: { data: RowsAnswer; question: RowsQuestion }) {
  if (data.pages === 1) return null;
  const first = (data.page - 1) * ROWS_PAGE + 1;
  return (
    <nav className="cost-pager" aria-label="Pages">
      <span className="muted">
        {formatNumber(first)} to {formatNumber(Math.min(first + ROWS_PAGE - 1, data.total.rows))} of{" "}
        {formatCount(data.total.rows, "row")}
      </span>
      {data.page > 1 && (
        <ButtonLink size="small" icon={ChevronLeft} href={rowsHref({ ...question, page: data.page - 1 })}>
          Newer
        </ButtonLink>
      )}
      {data.page < data.pages && (
        <ButtonLink size="small" href={rowsHref({ ...question, page: data.page + 1 })}>
          Older
          <ChevronRight size={14} aria-hidden="true" />
        </ButtonLink>
      )}
    </nav>
  );
}
