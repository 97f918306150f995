"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { SeverityLabel, StatusMark } from "@/components/ui/status";
import { FACT_WORDS } from "@/lib/domain/alignment/check";
import type { MachineAlignment } from "@/lib/domain/alignment/view";
import { formatGib, formatMib } from "@/lib/domain/format";
import { machineAlignmentQuery } from "@/lib/queries/alignment";

/** One machine against what was declared of it, and what is left in each of its memory pools. */
export function MachineAlignmentPanel({ instanceId }: { instanceId: string }) {
  const { data } = useLive(machineAlignmentQuery(instanceId));
  if (data.facts.length === 0) return null;
  const wrong = data.findings.filter(({ state }) => state === "open" || state === "pending");
  const counts = {
    agree: data.facts.filter(({ state }) => state === "agrees").length,
    unverified: data.facts.filter(({ state }) => state === "unverified"),
  };
  return (
    <Panel
      title="Declared against observed"
      actions={
        <Link className="link" href={"/alignment" as Route}>
          Alignment
        </Link>
      }
    >
      <div className="grid gap-3">
        <ul className="grid gap-2">
          {wrong.map((row) => (
            <li key={row.id} className="grid">
              <SeverityLabel of={row.severity}>
                {FACT_WORDS[row.fact]}
                {row.state === "pending" && " (seen once)"}
              </SeverityLabel>
              <span className="text-text-2">
                {row.declared !== null && <s>{row.declared}</s>} <b>{row.observed ?? "nothing"}</b>
              </span>
            </li>
          ))}
          <li className="flex gap-2">
            <StatusMark of="pass" /> {counts.agree} of {data.facts.length} facts as declared
            {data.group !== null && ` in ${data.group}`}
          </li>
          {counts.unverified.length > 0 && (
            <li className="flex gap-2">
              <StatusMark of="notChecked" />
              {counts.unverified.length} not verified:{" "}
              {counts.unverified.map(({ fact }) => FACT_WORDS[fact].toLowerCase()).join(", ")}
            </li>
          )}
        </ul>
        {data.pools !== null && <Pools data={data} />}
      </div>
    </Panel>
  );
}

function Pools({ data }: { data: MachineAlignment }) {
  return (
    <div className="grid gap-2">
      <p className="muted">
        Memory pools, GB as sold{data.nominalGb !== null && ` (${data.nominalGb} GB ↔ ${formatMib(data.reportedMib)})`}
      </p>
      <Facts
        rows={(data.pools ?? []).map(({ name, gb, existsGb }) => {
          const use = data.use.find((one) => one.name === name);
          return [
            name,
            <span key={name}>
              {gb} GB
              {existsGb < gb && (
                <span className="text-crit">
                  , {existsGb === 0 ? "nothing behind it" : `${Math.round((gb - existsGb) * 1_000) / 1_000} GB missing`}
                </span>
              )}
              {use?.freeMib != null && (
                <span className={use.freeMib < 0 ? "text-crit" : "muted"}>
                  {use.freeMib < 0 ? `, ${formatGib(-use.freeMib)} over` : `, ${formatGib(use.freeMib)} free`}
                </span>
              )}
            </span>,
          ] as const;
        })}
      />
      {!data.hasProcesses && <p className="muted">No processes are listed, so nobody can say what is in which pool.</p>}
    </div>
  );
}
