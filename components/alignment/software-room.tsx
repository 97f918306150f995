"use client";

import { FileText } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import type { Act } from "@/components/settings/use-act";
import { ButtonLink } from "@/components/ui/button";
import { Facts } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Empty } from "@/components/ui/states";
import { StatusMark, shapes } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { FACT_WORDS } from "@/lib/domain/alignment/check";
import type { FactLineOfPolicy, SoftwareAnswer } from "@/lib/domain/alignment/view";
import { formatCount } from "@/lib/domain/format";
import { softwareQuery } from "@/lib/queries/alignment";
import { MigrationsPanel } from "./migrations-panel";
import { ReviewPanel, type Sign } from "./review-panel";

export type SoftwareActs = {
  sign: Sign;
  start: Act<{ what: string; reason: string }, { id: string }>;
  end: Act<{ migrationId: string }, { id: string }>;
};

/** What may run, what does run, what is running out, and who has looked. */
export function SoftwareRoom({ acts }: { acts: SoftwareActs | null }) {
  const { data } = useLive(softwareQuery());
  return (
    <Deck>
      <DeckColumn span={8}>
        {data.policies.length === 0 ? (
          <Panel>
            <Empty
              icon={FileText}
              title="No software policy is declared"
              text="A policy says which drivers, CUDA and PyTorch versions, images and cards may be used, and until when. Write it under software in the declaration, and name it in groups."
              action={<ButtonLink href={"/alignment/declaration" as Route}>To the declaration</ButtonLink>}
            />
          </Panel>
        ) : (
          data.policies.map((policy) => (
            <Panel
              key={policy.name}
              title={policy.name}
              sub={policy.groups.length === 0 ? "of no group" : `of ${policy.groups.join(", ")}`}
            >
              <div className="grid gap-3">
                <Facts rows={policyRows(policy)} />
                <Lines lines={data.lines.filter((line) => line.policy === policy.name)} name={policy.name} />
              </div>
            </Panel>
          ))
        )}
        <CalendarPanel data={data} />
      </DeckColumn>
      <DeckColumn span={4}>
        <ReviewPanel data={data} sign={acts?.sign ?? null} />
        <MigrationsPanel data={data} start={acts?.start ?? null} end={acts?.end ?? null} />
      </DeckColumn>
    </Deck>
  );
}

function policyRows(policy: SoftwareAnswer["policies"][number]): (readonly [string, string])[] {
  return [
    ...(policy.driverMin || policy.driverRecommended
      ? [
          [
            "Driver",
            [
              ...(policy.driverMin ? [`at least ${policy.driverMin}`] : []),
              ...(policy.driverRecommended ? [`${policy.driverRecommended} recommended`] : []),
            ].join(", "),
          ] as const,
        ]
      : []),
    ...(policy.cuda.length > 0 ? [["CUDA", policy.cuda.join(", ")] as const] : []),
    ...(policy.pytorch.length > 0 ? [["PyTorch", policy.pytorch.join(", ")] as const] : []),
    ...(policy.images.length > 0 ? [["Images", policy.images.join(", ")] as const] : []),
    ...(policy.capabilityMin ? [["Compute capability", `at least ${policy.capabilityMin}`] as const] : []),
    ...(policy.memoryMinGb !== undefined || policy.memoryRecommendedGb !== undefined
      ? [
          [
            "VRAM",
            [
              ...(policy.memoryMinGb !== undefined ? [`at least ${policy.memoryMinGb} GB`] : []),
              ...(policy.memoryRecommendedGb !== undefined ? [`${policy.memoryRecommendedGb} GB recommended`] : []),
            ].join(", "),
          ] as const,
        ]
      : []),
  ];
}

function Lines({ lines, name }: { lines: readonly FactLineOfPolicy[]; name: string }) {
  if (lines.length === 0) return <p className="muted">No machine is under this policy.</p>;
  return (
    <Table label={`What machines under ${name} run`} isTight isBare>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Runs</th>
          <th scope="col" className="num">
            Machines
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.fact} ${line.value}`}>
            <th scope="row">
              <span className="fact-name">
                <LineMark line={line} />
                {FACT_WORDS[line.fact]}
              </span>
            </th>
            <td>{line.value ?? <Missing reason="nobody has said it" />}</td>
            <td className="num">{line.machines}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function LineMark({ line }: { line: FactLineOfPolicy }) {
  if (line.state !== "differs") return <StatusMark of={line.state === "agrees" ? "pass" : "notChecked"} />;
  const isNote = line.severity === "info";
  const Icon = shapes[isNote ? "info" : line.severity === "warning" ? "triangle-alert" : "x"];
  return (
    <span className={`status tone-${isNote ? "info" : line.severity === "warning" ? "warn" : "crit"}`}>
      <Icon size={14} aria-hidden="true" />
      <span className="sr-only">{isNote ? "Note: " : "Not allowed: "}</span>
    </span>
  );
}

function CalendarPanel({ data }: { data: SoftwareAnswer }) {
  return (
    <Panel title="Deprecation calendar" sub="what may be used until when" isFlush>
      {data.calendar.length === 0 ? (
        <p className="muted px-4 pb-4">Nothing is deprecated. Policies name versions under deprecated, with a day.</p>
      ) : (
        <Table label="Deprecation calendar" isTight>
          <thead>
            <tr>
              <th scope="col">Until</th>
              <th scope="col">What</th>
              <th scope="col">Left</th>
              <th scope="col">Still run by</th>
            </tr>
          </thead>
          <tbody>
            {data.calendar.map((line) => (
              <tr key={`${line.policy} ${line.part} ${line.version}`}>
                <th scope="row" className="tabular-nums">
                  {line.until}
                </th>
                <td>
                  {PARTS[line.part]} {line.version}
                  {line.note && <span className="muted block">{line.note}</span>}
                </td>
                <td className={line.daysLeft <= 0 ? "text-crit" : line.daysLeft <= 90 ? "text-warn" : undefined}>
                  {line.daysLeft <= 0 ? "over" : formatCount(line.daysLeft, "day")}
                </td>
                <td>
                  {line.machines.length === 0 ? (
                    <span className="muted">nobody</span>
                  ) : (
                    `${line.machines.slice(0, 3).join(", ")}${line.machines.length > 3 ? ` and ${line.machines.length - 3} more` : ""}`
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

const PARTS = { driver: "Driver", cuda: "CUDA", pytorch: "PyTorch", image: "Image" } as const;
