import { Fragment } from "react";
import { Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import type { AllocationAnswer, PotView } from "@/lib/domain/cost/allocation-view";
import { ownerWords } from "@/lib/domain/cost/attribution";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { dayWords } from "./words";

const METHODS = {
  gpu_minutes: "by GPU-minutes of the day",
  even: "evenly",
  fixed: "by fixed parts",
} as const;

/** Each pot and its parts; they add up to it, and what rounding gave to each stands beside it. */
export function PotsPanel({ data, canExport }: { data: AllocationAnswer; canExport: boolean }) {
  return (
    <Panel
      span={7}
      isFlush
      title="Shared costs"
      sub="spread day by day; the parts add up to the micro-dollar"
      actions={
        canExport &&
        data.pots.length > 0 && (
          <TableLinks href={`/api/v1/cost/allocation?month=${data.month}&table=pots`} what="Shared costs" />
        )
      }
    >
      {data.pots.length === 0 ? (
        <Empty
          title="No pot in this month"
          text="A rule with several payers puts what it is about into a pot: a shared file system, tax, a credit."
        />
      ) : (
        <Table label="Shared costs">
          <thead>
            <tr>
              <th scope="col">Pot and payers</th>
              <th scope="col" className="num not-phone">
                Exact
              </th>
              <th scope="col" className="num not-phone" title="What rounding gave to the part, summed over its days">
                Rounding
              </th>
              <th scope="col" className="num">
                Cost
              </th>
            </tr>
          </thead>
          {data.pots.map((pot) => (
            <Pot key={pot.name} pot={pot} />
          ))}
        </Table>
      )}
    </Panel>
  );
}

function Pot({ pot }: { pot: PotView }) {
  const { name, micros, method, parts, unspreadMicros, unspreadDays } = pot;
  const isWhole = unspreadMicros === "0";
  return (
    <tbody>
      <tr className="is-group">
        <th scope="rowgroup">
          <b>{name}</b> {method ? METHODS[method] : "no rule spreads it"}
        </th>
        <td className="num not-phone">{dollars(micros)}</td>
        <td className="num not-phone">{rounding(parts.reduce((all, { roundingPpm }) => all + roundingPpm, 0))}</td>
        <td className="num">{formatUsd(micros)}</td>
      </tr>
      {parts.map((part) => (
        <tr key={ownerWords(part.words)}>
          <th scope="row" className="alloc-part">
            {ownerWords(part.words)}
          </th>
          <td className="num not-phone">{dollars(part.micros)}</td>
          <td className="num not-phone">{rounding(part.roundingPpm)}</td>
          <td className="num">{formatUsd(part.micros)}</td>
        </tr>
      ))}
      {!isWhole && (
        <tr>
          <th scope="row" className="tone-warn alloc-part">
            not spread
            <small className="muted block">
              {unspreadDays.length > 0 ? (
                <Fragment>nobody to bear it on {daysWords(unspreadDays)}</Fragment>
              ) : (
                "the spread follows within a minute"
              )}
            </small>
          </th>
          <td className="num not-phone">{dollars(unspreadMicros)}</td>
          <td className="not-phone" />
          <td className="num">{formatUsd(unspreadMicros)}</td>
        </tr>
      )}
    </tbody>
  );
}

function daysWords(days: readonly string[]): string {
  const [first] = days;
  if (days.length <= 3) return days.map(dayWords).join(", ");
  return `${formatCount(days.length, "day")}, first ${first ? dayWords(first) : ""}`;
}

/** All six places of a dollar, as the ledger has them. */
function dollars(micros: string): string {
  const amount = BigInt(micros);
  const digits = (amount < 0n ? -amount : amount).toString().padStart(7, "0");
  return `${amount < 0n ? "−" : ""}$${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Millionths of a micro-dollar as micro-dollars. */
function rounding(ppm: number): string {
  if (ppm === 0) return "0 µ$";
  return `${ppm > 0 ? "+" : "−"}${(Math.abs(ppm) / 1_000_000).toFixed(3)} µ$`;
}
