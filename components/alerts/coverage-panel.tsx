"use client";

import { Check, X } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Deck, Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { type CoverageAnswer, type CoverageRow, RISKS } from "@/lib/domain/alerts/coverage";
import { coverageQuery } from "@/lib/queries/alerts";

/** Risks across, machines that are watched alike down; what has no rule is named. */
export function CoveragePanel() {
  const { data } = useLive(coverageQuery());
  return (
    <Deck>
      <Panel span={12} title="Risks" isFlush>
        {data.rows.length === 0 ? <p className="muted p-4">No GPU reports yet.</p> : <RiskTable rows={data.rows} />}
      </Panel>
      <Panel span={12} title="Nobody would hear">
        <Unheard data={data} />
      </Panel>
    </Deck>
  );
}

function RiskTable({ rows }: { rows: readonly CoverageRow[] }) {
  return (
    <Table label="Risks by machine">
      <thead>
        <tr>
          <th scope="col">Machines</th>
          <th scope="col">Workload</th>
          {RISKS.map(({ key, label }) => (
            <th key={key} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.workload} ${row.model} ${row.instances[0]?.id}`}>
            <th scope="row" className="is-wrapping">
              {row.instances.slice(0, 3).map(({ id, name }, i) => (
                <span key={id}>
                  {i > 0 && ", "}
                  <Link className="link" href={`/fleet/${id}` as Route}>
                    {name}
                  </Link>
                </span>
              ))}
              {row.instances.length > 3 && ` and ${row.instances.length - 3} more`}
              <span className="muted">
                {" "}
                {row.gpus} × {row.model}
              </span>
            </th>
            <td>{row.workload}</td>
            {RISKS.map(({ key, label }) => (
              <td key={key}>
                <Covered rules={row.rules[key]} risk={label} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Covered({ rules, risk }: { rules: readonly string[]; risk: string }) {
  if (rules.length === 0)
    return (
      <span className="text-warn flex items-center gap-1">
        <X size={14} aria-hidden="true" />
        no rule
      </span>
    );
  return (
    <span className="flex items-center gap-1" title={rules.join(", ")}>
      <Check size={14} aria-hidden="true" />
      {rules.length === 1 ? "1 rule" : `${rules.length} rules`}
      <span className="sr-only">
        for {risk}: {rules.join(", ")}
      </span>
    </span>
  );
}

function Unheard({ data: { unheard, deadRoutes } }: { data: CoverageAnswer }) {
  if (unheard.length === 0 && deadRoutes.length === 0)
    return <p className="muted">Every rule that is on has somebody who hears it.</p>;
  return (
    <ul className="grid gap-2">
      {deadRoutes.map(({ name, why }) => (
        <li key={`route ${name}`}>
          <b>Route {name}</b> <span className="muted">leads nowhere: {why}.</span>
        </li>
      ))}
      {unheard.map(({ ruleId, name, severity, of }) => (
        <li key={ruleId}>
          <Link className="link underline" href={`/alerts/rules/${ruleId}` as Route}>
            {name}
          </Link>{" "}
          <span className="muted">
            ({severity}): {of} {of === "all of its alerts" ? "are told to nobody" : "would be told to nobody"}.
          </span>
        </li>
      ))}
    </ul>
  );
}
