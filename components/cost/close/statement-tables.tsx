import type { ReactNode } from "react";
import { inCents } from "@/components/cost/model";
import { dayWords } from "@/components/cost/words";
import { ScrollRegion } from "@/components/ui/table";
import type { StatementAnswer } from "@/lib/domain/cost/statement";
import { formatNumber, formatUsd, formatUsdChange, formatUsdRate } from "@/lib/domain/format";

type Section = { data: StatementAnswer };

type Part = StatementAnswer["content"]["parts"][number];

function ownerWords({ project, environment }: Pick<Part, "project" | "environment">): string {
  return [project || "no project", environment].filter(Boolean).join(", ");
}

function hours(minutes: number): string {
  return minutes === 0 ? "" : formatNumber(minutes / 60, 1);
}

function width(part: { lowMicros: string; highMicros: string }): string {
  const wide = BigInt(part.highMicros) - BigInt(part.lowMicros);
  return wide < 10_000n ? "" : formatUsd(wide / 2n);
}

function Amount({ micros, unknownRows }: { micros: bigint; unknownRows: number }) {
  if (unknownRows === 0) return formatUsd(micros);
  return micros === 0n ? "unknown" : `${formatUsd(micros)} + unknown`;
}

/** Everybody's: a line per team and project. */
export function ProjectsTable({ data: { content } }: Section) {
  const cents = inCents(content.parts.map(({ micros }) => BigInt(micros)));
  const sum = content.parts.reduce((all, { micros }) => all + BigInt(micros), 0n);
  return (
    <Scrolled>
      <table className="sheet-table">
        <caption>By team and project</caption>
        <thead>
          <tr>
            <th scope="col">Team</th>
            <th scope="col">Project</th>
            <Num>Resources</Num>
            <Num>Hours</Num>
            <Num>±</Num>
            <Num>Amount</Num>
          </tr>
        </thead>
        <tbody>
          {content.parts.map((part, index) => (
            <tr key={`${part.team}/${part.project}/${part.environment}/${part.isShared}`}>
              <th scope="row">
                {part.team || (part.isShared ? "" : "unallocated")}
                {part.isShared && " (shared pot)"}
              </th>
              <td>{ownerWords(part)}</td>
              <td className="num">{part.resources}</td>
              <td className="num">{hours(part.minutes)}</td>
              <td className="num">{width(part)}</td>
              <td className="num">
                <Amount micros={cents[index] ?? 0n} unknownRows={part.unknownRows} />
              </td>
            </tr>
          ))}
        </tbody>
        <Foot columns={5} micros={sum} />
      </table>
    </Scrolled>
  );
}

/** A team's: per project its resources, with minutes, rates and amounts. */
export function Projects({ data: { content } }: Section) {
  return content.parts.map((part) => {
    const cents = inCents(part.lines.map(({ micros }) => BigInt(micros)));
    return (
      <Scrolled key={`${part.project}/${part.environment}`} label={ownerWords(part)}>
        <table className="sheet-table is-lines">
          <caption>{ownerWords(part)}</caption>
          <thead>
            <tr>
              <th scope="col">Resource</th>
              <th scope="col" className="sheet-wide">
                Type
              </th>
              <th scope="col" className="sheet-wide">
                Region
              </th>
              <Num>Minutes</Num>
              <Num>Rate</Num>
              <Num>±</Num>
              <Num>Amount</Num>
            </tr>
          </thead>
          <tbody>
            {part.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a statement keep their order
              <tr key={index}>
                <th scope="row">
                  {line.name} <span className="mono muted">{line.externalId.slice(-6)}</span>
                </th>
                <td className="sheet-wide">{line.typeName ?? "storage"}</td>
                <td className="sheet-wide">{line.region}</td>
                <td className="num">
                  {line.charge === "usage" ? formatNumber(line.minutes) : gibHours(line.byteHours)}
                </td>
                <td className="num">{rateWords(line)}</td>
                <td className="num">{width(line)}</td>
                <td className="num">
                  <Amount micros={cents[index] ?? 0n} unknownRows={line.unknownRows} />
                </td>
              </tr>
            ))}
          </tbody>
          <Foot columns={4} wide={2} micros={BigInt(part.micros)} />
        </table>
      </Scrolled>
    );
  });
}

function gibHours(byteHours: string | null): string {
  return byteHours === null ? "" : `${formatNumber(Number(BigInt(byteHours) >> 30n))} GiB-h`;
}

function rateWords({ charge, priceMicros }: Part["lines"][number]): string {
  if (priceMicros === null) return "unknown";
  return charge === "usage" ? formatUsdRate(priceMicros) : `${formatUsd(priceMicros)}/GiB-month`;
}

export function Shared({ data: { content } }: Section) {
  const isAll = content.team === null;
  const unspread = { pot: "what is left", team: "", project: "borne by nobody yet", micros: content.unspreadMicros };
  const parts = unspread.micros === "0" ? content.shared : [...content.shared, unspread];
  if (parts.length === 0) return null;
  const cents = inCents(parts.map(({ micros }) => BigInt(micros)));
  const sum = parts.reduce((all, { micros }) => all + BigInt(micros), 0n);
  return (
    <Scrolled>
      <table className="sheet-table">
        <caption>
          {isAll
            ? "How shared cost was spread (it stands above among the pots, and is not added again)"
            : "Part of shared cost"}
        </caption>
        <thead>
          <tr>
            <th scope="col">Pot</th>
            <th scope="col">{isAll ? "Borne by" : "Project"}</th>
            <Num>Amount</Num>
          </tr>
        </thead>
        <tbody>
          {parts.map((one, index) => (
            <tr key={`${one.pot}/${one.team}/${one.project}`}>
              <th scope="row">{one.pot}</th>
              <td>
                {isAll && one !== unspread
                  ? [one.team || "unallocated", one.project].filter(Boolean).join(", ")
                  : one.project || "no project"}
              </td>
              <td className="num">{formatUsd(cents[index] ?? 0n)}</td>
            </tr>
          ))}
        </tbody>
        <Foot columns={2} micros={sum} />
      </table>
    </Scrolled>
  );
}

export function Charges({ data: { content } }: Section) {
  if (content.charges.length === 0) return null;
  const cents = inCents(content.charges.map(({ micros }) => BigInt(micros)));
  const sum = content.charges.reduce((all, { micros }) => all + BigInt(micros), 0n);
  return (
    <Scrolled>
      <table className="sheet-table">
        <caption>Commitments, credits, tax and adjustments</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">What</th>
            <th scope="col">Borne by</th>
            <Num>Amount</Num>
          </tr>
        </thead>
        <tbody>
          {content.charges.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a statement keep their order
            <tr key={index}>
              <th scope="row">{one.kind}</th>
              <td>{one.description}</td>
              <td>{[one.team || "unallocated", one.project].filter(Boolean).join(", ")}</td>
              <td className="num">{formatUsd(cents[index] ?? 0n)}</td>
            </tr>
          ))}
        </tbody>
        <Foot columns={3} micros={sum} />
      </table>
    </Scrolled>
  );
}

export function Corrections({ data: { content } }: Section) {
  if (content.corrections.length === 0) return null;
  const cents = inCents(content.corrections.map(({ micros }) => BigInt(micros ?? "0")));
  const sum = content.corrections.reduce((all, { micros }) => all + BigInt(micros ?? "0"), 0n);
  return (
    <Scrolled>
      <table className="sheet-table">
        <caption>Corrections of closed months</caption>
        <thead>
          <tr>
            <th scope="col">Original day</th>
            <th scope="col">What</th>
            <th scope="col">Why</th>
            <Num>Minutes</Num>
            <Num>Difference</Num>
          </tr>
        </thead>
        <tbody>
          {content.corrections.map((one, index) => (
            <tr key={one.key}>
              <th scope="row">
                {dayWords(one.day)} {one.day.slice(0, 4)}
              </th>
              <td>{one.name || one.charge}</td>
              <td>{one.why ?? "worked out anew"}</td>
              <td className="num">{one.minutes === 0 ? "" : one.minutes}</td>
              <td className="num">{one.micros === null ? "unknown" : formatUsdChange(cents[index] ?? 0n)}</td>
            </tr>
          ))}
        </tbody>
        <Foot columns={4} micros={sum} />
      </table>
    </Scrolled>
  );
}

/** On a phone a table scrolls by itself. */
function Scrolled({ label = "Part of the statement", children }: { label?: string; children: ReactNode }) {
  return (
    <ScrollRegion label={label} className="sheet-scroll">
      {children}
    </ScrollRegion>
  );
}

function Num({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="num">
      {children}
    </th>
  );
}

function Foot({ columns, wide = 0, micros }: { columns: number; wide?: number; micros: bigint }) {
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={columns}>
          Sum
        </th>
        {wide > 0 && <td className="sheet-wide" colSpan={wide} />}
        <td className="num">{formatUsd(micros)}</td>
      </tr>
    </tfoot>
  );
}
