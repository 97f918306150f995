"use client";

import { useState } from "react";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { OWNER_FIELD_NAMES, type OWNER_FIELDS } from "@/lib/domain/cost/allocation";
import type { AllocationAnswer } from "@/lib/domain/cost/allocation-view";
import { sharesBy } from "@/lib/domain/cost/shares";
import { formatUsd } from "@/lib/domain/format";
import { inCents } from "./model";

type By = (typeof OWNER_FIELDS)[number];

const OPTIONS: { value: By; label: string }[] = [
  { value: "team", label: "Team" },
  { value: "project", label: "Project" },
  { value: "environment", label: "Env" },
  { value: "costCenter", label: "Centre" },
];

/** The month before and after sharing; what stands here adds up to the month's total. */
export function SharesPanel({ data, canExport }: { data: AllocationAnswer; canExport: boolean }) {
  const [by, setBy] = useState<By>("team");
  const word = OWNER_FIELD_NAMES[by];
  const rows = sharesBy(
    data.owners.map(({ words, ownMicros, sharedMicros }) => ({
      words,
      own: BigInt(ownMicros),
      shared: BigInt(sharedMicros),
    })),
    by,
  );
  const rest = [
    { label: "Pots", own: BigInt(data.sharedMicros), all: BigInt(data.after.unspreadMicros) },
    { label: "Nobody yet", own: BigInt(data.uncategorised.micros), all: BigInt(data.uncategorised.micros) },
  ].filter((one) => one.own !== 0n || one.all !== 0n);
  const own = inCents([...rows, ...rest].map((one) => one.own));
  const all = inCents([...rows, ...rest].map((one) => one.all));
  return (
    <Panel
      span={5}
      isFlush
      title="After sharing"
      footer={
        canExport && (
          <TableLinks
            href={`/api/v1/cost/allocation/shares?month=${data.month}&by=${by}`}
            what={`The month by ${word.toLowerCase()}, before and after sharing`}
          />
        )
      }
      actions={<Segmented label="By" options={OPTIONS} value={by} onChange={setBy} />}
    >
      <Table label={`The month by ${word.toLowerCase()}, before and after sharing`}>
        <thead>
          <tr>
            <th scope="col">{word}</th>
            <th scope="col" className="num">
              Own
            </th>
            <th scope="col" className="num">
              After sharing
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key }, i) => (
            <tr key={key}>
              <th scope="row">{key || <span className="muted">not named</span>}</th>
              <td className="num">{formatUsd(own[i] ?? 0n)}</td>
              <td className="num">{formatUsd(all[i] ?? 0n)}</td>
            </tr>
          ))}
          {rest.map(({ label }, i) => (
            <tr key={label}>
              <th scope="row" className="muted">
                {label}
              </th>
              <td className="num">{formatUsd(own[rows.length + i] ?? 0n)}</td>
              <td className="num">{formatUsd(all[rows.length + i] ?? 0n)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="num">{formatUsd(data.total.micros)}</td>
            <td className="num">{formatUsd(data.total.micros)}</td>
          </tr>
        </tfoot>
      </Table>
    </Panel>
  );
}
