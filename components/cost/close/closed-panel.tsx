"use client";

import { Download, Printer } from "lucide-react";
import type { Route } from "next";
import { dayWords, monthName } from "@/components/cost/words";
import { ButtonLink } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import type { CloseAnswer } from "@/lib/domain/cost/close";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import type { CloseRights } from "./close-room";
import { PeriodBadge } from "./period-badge";

export function statementHref(month: string, team?: string): Route {
  const query = team === undefined ? "" : `?team=${encodeURIComponent(team)}`;
  return `/cost/${month}/statement${query}` as Route;
}

/** What a month is: open, being closed, or closed with its hash; and its statements. */
export function ClosedPanel({ data, canExport }: { data: CloseAnswer } & CloseRights) {
  const isClosed = data.status === "closed";
  return (
    <>
      <Panel
        title="Statements"
        sub={isClosed ? "as they were told" : "drafts until the month is closed"}
        isFlush={isClosed}
      >
        {isClosed ? (
          <Statements data={data} />
        ) : (
          <div className="grid gap-3">
            <p className="text-text-2">
              For everybody and for each team, laid out for print, with corrections, taxes, credits and parts of shared
              cost.
            </p>
            <p>
              <ButtonLink size="small" icon={Printer} href={statementHref(data.month)}>
                Draft statement
              </ButtonLink>
            </p>
          </div>
        )}
      </Panel>
      <Panel title={isClosed ? "Closed" : "State"} actions={<PeriodBadge status={data.status} />}>
        {isClosed ? <Seal data={data} canExport={canExport} /> : <State data={data} />}
      </Panel>
    </>
  );
}

function State({ data }: { data: CloseAnswer }) {
  const name = monthName(data.month, false);
  return (
    <p className="text-text-2">
      {data.isOver
        ? `${name} is over. Until it is closed its rows follow what is learnt: the provider’s log, prices, labels, invoices.`
        : `${name} closes from ${dayWords(data.closesFrom)} in ${data.zone}: when it is over and nothing above is open.`}
    </p>
  );
}

function Seal({ data, canExport }: { data: CloseAnswer; canExport: boolean }) {
  const name = monthName(data.month, false);
  return (
    <div className="grid gap-3">
      <Facts
        rows={[
          ["Total", <b key="total">{formatUsd(data.totalMicros)}</b>],
          ["Rows", formatCount(data.rows, "row")],
          ["Accounting zone", data.zone],
          ["Closed", data.closedAt !== null && <Instant key="at" at={data.closedAt} year />],
          ["By", data.closedBy ?? "the command line"],
        ]}
      />
      <div>
        <p className="muted">Content hash, SHA-256 of the month’s rows</p>
        <p className="close-hash mono">
          {data.contentHash}
          {data.contentHash && <CopyButton text={data.contentHash} what="content hash" isIcon />}
        </p>
        {canExport && (
          <p className="mt-2">
            <a className="btn btn-small" href={`/api/v1/cost/content.csv?month=${data.month}`} download>
              <Download size={14} aria-hidden="true" />
              The rows that it is taken of
            </a>
          </p>
        )}
      </div>
      <p className="text-text-2">
        {name} is not opened again: its statements are out. What is learnt now counts in the open month, as a correction
        that names its day.
      </p>
      {data.correctedLater.length > 0 && (
        <ul className="close-list">
          {data.correctedLater.map((one) => (
            <li key={one.month}>
              <Link className="link" href={`/cost/${one.month}` as Route}>
                {monthName(one.month)}
              </Link>{" "}
              has {formatCount(one.rows, "correction")} of it, {formatUsdChange(one.micros)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Statements({ data }: { data: CloseAnswer }) {
  return (
    <Table label="Statements" isDense>
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">Hash</th>
          <th scope="col" className="num">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {data.statements.map(({ scope, totalMicros, hash }) => {
          const team = scope === "all" ? undefined : scope.slice("team:".length);
          return (
            <tr key={scope}>
              <th scope="row">
                <Link className="link" href={statementHref(data.month, team)}>
                  {team === undefined ? "Everybody" : team || "unallocated"}
                </Link>
              </th>
              <td className="mono muted" title={hash}>
                {hash.slice(0, 10)}
              </td>
              <td className="num">{formatUsd(totalMicros)}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
