"use client";

import { Download, Printer } from "lucide-react";
import { useRouter } from "next/navigation";
import { inCents } from "@/components/cost/model";
import { dayRangeWords, monthName } from "@/components/cost/words";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/field";
import type { StatementAnswer, StatementQuestion } from "@/lib/domain/cost/statement";
import { formatUsd, formatUsdChange } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";
import { statementQuery } from "@/lib/queries/close";
import { statementHref } from "./closed-panel";
import { Charges, Corrections, Projects, ProjectsTable, Shared } from "./statement-tables";

type Props = { question: StatementQuestion; canExport: boolean };

/** A statement as it lies on paper, with a bar above it that is not printed. */
export function StatementSheet({ question, canExport }: Props) {
  const { data } = useLive(statementQuery(question));
  return (
    <>
      <Bar data={data} canExport={canExport} />
      <Sheet data={data} />
    </>
  );
}

function whoOf(data: StatementAnswer): string {
  const { team } = data.content;
  return team === null ? "Everybody" : team || "Unallocated";
}

function Bar({ data, canExport }: { data: StatementAnswer; canExport: boolean }) {
  const router = useRouter();
  const { month, team } = data.content;
  const query = new URLSearchParams({ month, ...(team !== null && { team }) }).toString();
  return (
    <div className="sheet-bar">
      <SelectField
        label="Statement of"
        value={team === null ? "all" : `team:${team}`}
        onChange={({ target: { value } }) =>
          router.push(statementHref(month, value === "all" ? undefined : value.slice("team:".length)))
        }
      >
        <option value="all">Everybody</option>
        {data.teams.map((one) => (
          <option key={one} value={`team:${one}`}>
            {one || "Unallocated"}
          </option>
        ))}
      </SelectField>
      <div className="page-actions">
        {canExport && (
          <>
            <a className="btn" href={`/api/v1/cost/statement?${query}&format=csv`} download>
              <Download size={14} aria-hidden="true" />
              CSV
            </a>
            <a className="btn" href={`/api/v1/cost/statement?${query}&format=xlsx`} download>
              <Download size={14} aria-hidden="true" />
              XLSX
            </a>
            <a className="btn" href={`/api/v1/cost/statement?${query}`} download={`statement-${month}.json`}>
              <Download size={14} aria-hidden="true" />
              JSON
            </a>
          </>
        )}
        <Button look="primary" icon={Printer} onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </div>
  );
}

function Sheet({ data }: { data: StatementAnswer }) {
  const { content, status } = data;
  const { totals, zone } = content;
  const isDraft = status !== "closed";
  const head = `Cost statement: ${whoOf(data)}, ${monthName(content.month)}${isDraft ? ", draft" : ""}`;
  return (
    <article className="sheet" aria-label={`Statement of ${whoOf(data)} for ${monthName(content.month)}`}>
      <div className="sheet-running" aria-hidden="true">
        <div>{head}</div>
      </div>
      <div className="sheet-body">
        <div>
          <header className="sheet-head">
            <div>
              <h2>
                {whoOf(data)}
                {isDraft && <span className="sheet-draft">Draft</span>}
              </h2>
              <p>
                {dayRangeWords(content.fromDay, content.toDay)} {content.month.slice(0, 4)}, accounting days in {zone}
              </p>
              <p>US dollars; billed by the started minute, booting free</p>
            </div>
            <div className="sheet-sum">
              <p className="sheet-total">{formatUsd(totals.totalMicros)}</p>
              <p>{boundWords(totals)}</p>
              {totals.unknownRows > 0 && <p>plus {totals.unknownRows} rows without a known amount</p>}
            </div>
          </header>
          <Summary data={data} />
          {content.team === null ? <ProjectsTable data={data} /> : <Projects data={data} />}
          <Shared data={data} />
          <Charges data={data} />
          <Corrections data={data} />
          <footer className="sheet-foot">
            <p>
              {isDraft ? "As of" : "Closed"} {formatInstant(data.asOf, { timeZone: zone, year: true, seconds: true })}
              {data.closedBy !== null && ` by ${data.closedBy}`}. Every amount is a sum of ledger rows, rounded to cents
              for display so that lines add up; ± is what the time between two looks at the provider leaves open.
            </p>
            {isDraft ? (
              <p>Draft: the month is not closed, and what is learnt until then changes it.</p>
            ) : (
              <>
                <p>
                  Content hash of the month <span className="mono">{data.contentHash}</span>
                </p>
                <p>
                  Hash of this statement <span className="mono">{data.hash}</span>
                </p>
              </>
            )}
          </footer>
        </div>
      </div>
    </article>
  );
}

function boundWords({ totalMicros, lowMicros, highMicros }: StatementAnswer["content"]["totals"]): string {
  const below = BigInt(lowMicros) - BigInt(totalMicros);
  const above = BigInt(highMicros) - BigInt(totalMicros);
  if (below > -5_000n && above < 5_000n) return "exact to the cent";
  return `${formatUsdChange(below)}, ${formatUsdChange(above)}`;
}

type Section = { data: StatementAnswer };

function Summary({ data: { content } }: Section) {
  const { totals } = content;
  const beforeTax = BigInt(totals.totalMicros) - BigInt(totals.taxMicros);
  const lines: [string, string][] = [
    ["Instances", totals.usageMicros],
    ["Storage", totals.storageMicros],
    ["Part of shared cost", totals.sharedMicros],
    ["Commitments, credits, adjustments", totals.chargesMicros],
    ["Corrections of closed months", totals.correctionsMicros],
  ];
  const shown = lines.filter(([, micros], index) => index === 0 || micros !== "0");
  const cents = inCents(shown.map(([, micros]) => BigInt(micros)));
  return (
    <table className="sheet-table is-summary">
      <caption>In all</caption>
      <tbody>
        {shown.map(([label], index) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td className="num">{formatUsd(cents[index] ?? 0n)}</td>
          </tr>
        ))}
        <tr className="is-sum">
          <th scope="row">Before tax</th>
          <td className="num">{formatUsd(beforeTax)}</td>
        </tr>
        <tr>
          <th scope="row">Tax</th>
          <td className="num">{totals.taxMicros === "0" ? "none recorded" : formatUsd(totals.taxMicros)}</td>
        </tr>
        <tr className="is-sum">
          <th scope="row">Total</th>
          <td className="num">{formatUsd(totals.totalMicros)}</td>
        </tr>
      </tbody>
    </table>
  );
}
