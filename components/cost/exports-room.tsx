"use client";

import { Download } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type ReactNode, useTransition } from "react";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { SelectField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Facts, PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { StaleBadge } from "@/components/ui/stale-badge";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import type { ExportsAnswer, ExportsQuestion } from "@/lib/domain/cost/exports-view";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { exportsQuery } from "@/lib/queries/cost-exports";
import { monthName } from "./words";

const STATUS = { open: "Open", closing: "Closing", closed: "Closed" } as const;

/** Every file that a month can be had as. */
export function ExportsRoom({ question }: { question: ExportsQuestion }) {
  const { data, failure } = useLive(exportsQuery(question));
  const router = useRouter();
  const [isChanging, change] = useTransition();
  const { month, status, isRunning } = data;
  return (
    <>
      <PageTitle
        title="Exports"
        badges={
          <>
            <Badge tone={status === "closed" ? "ok" : "plain"}>{isRunning ? "Running" : STATUS[status]}</Badge>
            {failure && <StaleBadge at={data.now} />}
          </>
        }
        actions={
          <SelectField
            label="Month"
            isLabelHidden
            name="month"
            value={month}
            onChange={(event) => {
              const next = event.target.value;
              change(() => router.replace(`/cost/exports?month=${next}` as Route, { scroll: false }));
            }}
          >
            {data.months.map((one) => (
              <option key={one} value={one}>
                {monthName(one)}
              </option>
            ))}
          </SelectField>
        }
      />
      {data.unknownRows > 0 && (
        <div className="pb-2.5">
          <Note tone="warn">
            {formatCount(data.unknownRows, "row")} of {formatCount(data.unknownResources, "resource")} have no known
            price. The ledger’s files name them without an amount; a FOCUS file leaves them out, and its metadata lists
            them.
          </Note>
        </div>
      )}
      <Deck>
        <Panel title={monthName(month)} span={4} isRefreshing={isChanging}>
          <MonthFacts data={data} />
        </Panel>
        <Panel
          title="Files"
          sub="FOCUS, ledger and statement add up to the same, to the micro-dollar"
          span={8}
          isFlush
          isRefreshing={isChanging}
        >
          <Files data={data} />
        </Panel>
      </Deck>
    </>
  );
}

function MonthFacts({ data }: { data: ExportsAnswer }) {
  const { rows, micros, zone, now, status, contentHash } = data;
  return (
    <Facts
      rows={[
        [
          "Billed",
          <span key="billed" className="num">
            {formatUsd(BigInt(micros))}
          </span>,
        ],
        [
          "Rows",
          <span key="rows" className="num">
            {formatCount(rows, "row")}
          </span>,
        ],
        ["Accounting zone", zone],
        ["As of", <Instant key="now" at={now} />],
        [
          "Content hash",
          contentHash === null ? (
            <span key="hash" className="muted">
              {status === "closed" ? "not kept" : "when the month is closed"}
            </span>
          ) : (
            <code key="hash" className="break-all">
              {contentHash}
            </code>
          ),
        ],
      ]}
    />
  );
}

type File = { name: string; about: string; links: ReactNode };

function filesOf(month: string): File[] {
  const focus = (path: string) => `/api/v1/cost/focus${path}`;
  const tables = (path: string, what: string) => <TableLinks href={`/api/v1/${path}`} what={what} />;
  return [
    {
      name: "FOCUS 1.2",
      about: "The FinOps Foundation’s open format, one row per charge and day.",
      links: (
        <>
          <FileLink href={focus(`?month=${month}&version=1.2`)} word="CSV" what="FOCUS 1.2 as CSV" />
          <FileLink href={focus(`/metadata?month=${month}&version=1.2`)} word="Metadata" what="Metadata of FOCUS 1.2" />
        </>
      ),
    },
    {
      name: "FOCUS 1.4",
      about: "The same rows in the columns of the version of 2026.",
      links: (
        <>
          <FileLink href={focus(`?month=${month}&version=1.4`)} word="CSV" what="FOCUS 1.4 as CSV" />
          <FileLink href={focus(`/metadata?month=${month}&version=1.4`)} word="Metadata" what="Metadata of FOCUS 1.4" />
        </>
      ),
    },
    {
      name: "Ledger",
      about: "Every row with its price, bounds and key.",
      links: tables(`ledger?month=${month}`, "Ledger"),
    },
    {
      name: "Statement",
      about: "What each team owes, with charges and corrections.",
      links: tables(`cost/statement?month=${month}`, "Statement"),
    },
    { name: "Teams", about: "Cost and idle money by team.", links: tables(`cost?month=${month}&by=team`, "Teams") },
    {
      name: "Projects",
      about: "Cost and idle money by project.",
      links: tables(`cost?month=${month}&by=project`, "Projects"),
    },
    {
      name: "Resources",
      about: "Machines and file systems with their bounds.",
      links: tables(`cost?month=${month}&table=resources`, "Resources"),
    },
    { name: "Days", about: "Cost per day and team.", links: tables(`cost?month=${month}&by=team&table=days`, "Days") },
    {
      name: "Canonical content",
      about: "The bytes of which the month’s content hash is taken.",
      links: <FileLink href={`/api/v1/cost/content.csv?month=${month}`} word="CSV" what="Canonical content as CSV" />,
    },
    {
      name: "Price book",
      about: "Every price that was ever written down; of all months.",
      links: tables("cost/prices", "Price book"),
    },
  ];
}

function Files({ data }: { data: ExportsAnswer }) {
  return (
    <Table label={`Files of ${monthName(data.month)}`}>
      <thead>
        <tr>
          <th>File</th>
          <th className="not-phone">What it holds</th>
          <th className="num">Download</th>
        </tr>
      </thead>
      <tbody>
        {filesOf(data.month).map(({ name, about, links }) => (
          <tr key={name}>
            <td>{name}</td>
            <td className="not-phone muted">{about}</td>
            <td className="num">
              <span className="table-links">{links}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function FileLink({ href, word, what }: { href: string; word: string; what: string }) {
  return (
    <a className="btn btn-small" href={href} download aria-label={what}>
      <Download size={14} aria-hidden="true" />
      {word}
    </a>
  );
}
