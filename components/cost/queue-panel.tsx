"use client";

import { CircleCheck } from "lucide-react";
import type { Route } from "next";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Quantity } from "@/components/ui/quantity";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { SelectionBar } from "@/components/ui/selection-bar";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import type { OwnerWords } from "@/lib/domain/cost/allocation";
import type { AllocationAnswer, Uncategorised } from "@/lib/domain/cost/allocation-view";
import { ownerWords } from "@/lib/domain/cost/attribution";
import { stemOf } from "@/lib/domain/cost/glob";
import type { Suggestion } from "@/lib/domain/cost/suggest";
import { formatCount, formatUsd, formatUsdChange, formatUsdRate } from "@/lib/domain/format";
import { AssignDialog, type Assigner } from "./assign-dialog";
import { RuleDialog, type RuleStart } from "./rule-dialog";
import type { RuleActs } from "./rules-panel";

type Props = { data: AllocationAnswer; assign: Assigner | null; rules: RuleActs | null; canExport: boolean };

type Asked = { things: readonly Uncategorised[]; suggested: OwnerWords | null };

/** Everything that costs money and has nobody who pays, the most expensive first. */
export function QueuePanel({ data, assign, rules, canExport }: Props) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<Asked | null>(null);
  const [rule, setRule] = useState<RuleStart | null>(null);
  const { queue, loose } = data;
  const chosen = queue.filter(({ resourceId }) => selected.has(resourceId));
  const choose = (id: string, isOn: boolean) =>
    setSelected((now) => new Set(isOn ? [...now, id] : [...now].filter((one) => one !== id)));
  const together = chosen.reduce((all, { micros }) => all + BigInt(micros), 0n);
  return (
    <Panel
      span={12}
      isFlush
      title="Nobody pays yet"
      sub="the most expensive first; the ledger’s own amounts"
      actions={
        canExport &&
        queue.length > 0 && (
          <TableLinks href={`/api/v1/cost/allocation?month=${data.month}`} what="What nobody pays for" />
        )
      }
    >
      {chosen.length > 0 && assign && (
        <SelectionBar count={chosen.length} sum={`${formatUsd(together)} together`}>
          <Button size="small" look="primary" onClick={() => setAsked({ things: chosen, suggested: commonOf(chosen) })}>
            Assign
          </Button>
          <Button size="small" onClick={() => setSelected(new Set())}>
            Clear
          </Button>
        </SelectionBar>
      )}
      {queue.length === 0 && loose.length === 0 ? (
        <Empty
          icon={CircleCheck}
          title="Nothing uncategorised"
          text={
            data.uncategorised.micros === "0"
              ? "Everything in this month has somebody who pays for it."
              : "What is left was named a moment ago; the ledger takes it up within a minute."
          }
        />
      ) : (
        <Table label="Resources without a payer">
          <thead>
            <tr>
              {assign && (
                <th scope="col">
                  <RowCheckbox
                    label="all"
                    checked={chosen.length === 0 ? false : chosen.length === queue.length || "some"}
                    onChange={(isOn) => setSelected(new Set(isOn ? queue.map(({ resourceId }) => resourceId) : []))}
                  />
                </th>
              )}
              <th scope="col">Resource</th>
              <th scope="col" className="wide-only">
                Launched by
              </th>
              <th scope="col" className="not-phone">
                Since
              </th>
              <th scope="col" className="num">
                Per hour
              </th>
              <th scope="col" className="num">
                This month
              </th>
              {assign && <th scope="col">Who pays?</th>}
            </tr>
          </thead>
          <tbody>
            {queue.map((row) => (
              <QueueRow
                key={row.resourceId}
                row={row}
                isSelected={selected.has(row.resourceId)}
                canAssign={assign !== null}
                onSelect={(isOn) => choose(row.resourceId, isOn)}
                onAssign={(suggested) => setAsked({ things: [row], suggested })}
                onRule={
                  rules &&
                  (() =>
                    setRule({
                      name: `${stemOf(row.name)} machines`,
                      selector: { name: `${stemOf(row.name)}*` },
                      words: row.suggestions[0]?.words ?? null,
                    }))
                }
              />
            ))}
            {loose.map(({ charge, micros, rows }) => (
              <tr key={charge}>
                {assign && <td />}
                <th scope="row">
                  {charge} <span className="muted">{formatCount(rows, "row")}, of no machine</span>
                </th>
                <td className="wide-only" />
                <td className="not-phone" />
                <td />
                <td className="num">{formatUsd(micros)}</td>
                {assign && (
                  <td>
                    {rules && (
                      <Button
                        size="small"
                        onClick={() =>
                          setRule({
                            name: `${charge} of the fleet`,
                            selector: { charges: chargesOf(charge) },
                            words: null,
                          })
                        }
                      >
                        Share it
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {asked && assign && (
        <AssignDialog
          things={asked.things}
          suggested={asked.suggested}
          data={data}
          act={assign}
          onClose={(isDone) => {
            setAsked(null);
            if (isDone) setSelected(new Set());
          }}
        />
      )}
      {rule && rules && <RuleDialog start={rule} data={data} acts={rules} onClose={() => setRule(null)} />}
    </Panel>
  );
}

type RowProps = {
  row: Uncategorised;
  isSelected: boolean;
  canAssign: boolean;
  onSelect: (isOn: boolean) => void;
  onAssign: (suggested: OwnerWords | null) => void;
  onRule: (() => void) | null;
};

function QueueRow({ row, isSelected, canAssign, onSelect, onAssign, onRule }: RowProps) {
  const [best] = row.suggestions;
  const below = BigInt(row.lowMicros) - BigInt(row.micros);
  const above = BigInt(row.highMicros) - BigInt(row.micros);
  const isCertain = below > -5_000n && above < 5_000n;
  return (
    <tr>
      {canAssign && (
        <td>
          <RowCheckbox label={row.name} checked={isSelected} onChange={onSelect} />
        </td>
      )}
      <th scope="row">
        {row.kind === "instance" ? (
          <Link className="link" href={`/fleet/${row.resourceId}` as Route}>
            {row.name}
          </Link>
        ) : (
          row.name
        )}{" "}
        <span className="muted not-phone">
          {row.typeName ?? "file system"}, {row.region}
          {row.isGone && ", ended"}
        </span>
      </th>
      <td className="wide-only text-text-2">{row.launchedBy ?? <span className="muted">not known</span>}</td>
      <td className="not-phone whitespace-nowrap">
        <Instant at={row.since} />
      </td>
      <td className="num">
        {row.microsPerHour === "0" ? (
          <span className="muted">no more</span>
        ) : (
          <Quantity text={formatUsdRate(row.microsPerHour)} reason="its price is not known" />
        )}
      </td>
      <td className="num">
        <Quantity text={formatUsd(row.micros)} />
        {!isCertain && (
          <small className="muted not-phone block">
            {formatUsdChange(below)}, {formatUsdChange(above)}
          </small>
        )}
        {row.unknownRows > 0 && <small className="cost-unknown block">price unknown</small>}
      </td>
      {canAssign && (
        <td>
          <span className="alloc-acts">
            {best && (
              <Button size="small" title={whyWords(best)} onClick={() => onAssign(best.words)}>
                {ownerWords(best.words)}?
              </Button>
            )}
            <Button size="small" look={best ? "ghost" : "secondary"} onClick={() => onAssign(null)}>
              {best ? "Other" : "Assign"}
            </Button>
            {onRule && (
              <span className="not-phone">
                <Button size="small" look="ghost" onClick={onRule}>
                  Make a rule
                </Button>
              </span>
            )}
          </span>
        </td>
      )}
    </tr>
  );
}

function whyWords({ because: { what, value, count } }: Suggestion): string {
  return what === "name"
    ? `pays for ${formatCount(count, "resource")} called ${value}`
    : `pays for ${formatCount(count, "resource")} that ${value} launched`;
}

/** The suggestion that all of them share; null: they differ. */
function commonOf(rows: readonly Uncategorised[]): OwnerWords | null {
  const first = rows[0]?.suggestions[0]?.words;
  if (!first) return null;
  const key = JSON.stringify(first);
  return rows.every(({ suggestions }) => JSON.stringify(suggestions[0]?.words) === key) ? first : null;
}

function chargesOf(charge: string) {
  const known = (["tax", "credit", "commitment", "adjustment", "rounding"] as const).find((one) => one === charge);
  return known ? [known] : [];
}
