"use client";

import type { Route } from "next";
import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { StatusMark, shapes } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { FACT_WORDS } from "@/lib/domain/alignment/check";
import type { FactLine } from "@/lib/domain/alignment/compare";
import type { AlignmentAnswer, GroupView } from "@/lib/domain/alignment/view";
import { verdictWords } from "@/lib/domain/alignment/words";
import { formatUsd, formatUsdChange, formatUsdRate } from "@/lib/domain/format";
import { PoolBars } from "./pool-bars";
import { effectText, VERDICT_TONES } from "./words";

const MOST_NAMES = 12;
const SHAPES = { aligned: "circle-check", differs: "x", unverified: "circle-help", undeclared: "minus" } as const;

/** Each group: its pools to scale, its facts side by side, its price. What differs comes first. */
export function GroupPanels({ data }: { data: AlignmentAnswer }) {
  const hours = data.declared?.hoursPerMonth ?? 720;
  return data.groups.map((group) => <GroupDeck key={group.name} group={group} hours={hours} />);
}

function GroupDeck({ group, hours }: { group: GroupView; hours: number }) {
  const { machines } = group;
  const more = group.present - Math.min(machines.length, MOST_NAMES);
  return (
    <section className="alignment-group" aria-label={group.name}>
      <details open={group.verdict === "differs" || undefined}>
        <summary className="alignment-group-head">
          <h2>{group.name}</h2>
          <Badge tone={VERDICT_TONES[group.verdict]} icon={shapes[SHAPES[group.verdict]]}>
            {verdictWords(group.verdict)}
          </Badge>
          <span className="muted">
            {group.count} × {group.gpusPerInstance} {group.gpu}, {group.memoryGb} GB
            {group.owner && `, ${group.owner}`}
          </span>
          <span className="muted ml-auto">{factWords(group)}</span>
        </summary>
        <p className="alignment-machines">
          {machines.slice(0, MOST_NAMES).map(({ id, name }) => (
            <Link key={id} className="link underline" href={`/fleet/${id}` as Route}>
              {name}
            </Link>
          ))}
          {machines.length === 0 && <span className="muted">no machine</span>}
          {more > 0 && <span className="muted">and {more} more</span>}
        </p>
        <Deck>
          {group.pools.map((pools) => (
            <Panel
              key={pools.workload ?? ""}
              span={12}
              title="Memory pools on one GPU"
              sub="GB as sold; the driver reports MiB"
            >
              <PoolBars pools={pools} declaredGb={group.memoryGb} />
            </Panel>
          ))}
          <Panel span={group.pricePerHourMicros === null ? 12 : 8} title="Declared against observed" isFlush>
            <FactTable facts={group.facts} name={group.name} hours={hours} />
          </Panel>
          {group.pricePerHourMicros !== null && (
            <Panel span={4} title="Price" sub={`per day and per ${hours} h`} isFlush>
              <PriceTable group={group} hours={hours} />
            </Panel>
          )}
        </Deck>
      </details>
    </section>
  );
}

/** "9 of 11 facts agree": what a closed group says of itself. */
function factWords({ facts }: GroupView): string {
  const agree = facts.filter(({ differ, unverified }) => differ + unverified === 0).length;
  return `${agree} of ${facts.length} facts agree`;
}

function FactTable({ facts, name, hours }: { facts: readonly FactLine[]; name: string; hours: number }) {
  return (
    <Table label={`Facts of ${name}`} isTight>
      <thead>
        <tr>
          <th scope="col">Fact</th>
          <th scope="col">Declared</th>
          <th scope="col">Lambda</th>
          <th scope="col">GPUs, agent</th>
          <th scope="col">Machines</th>
          <th scope="col" className="num">
            Effect, {hours} h
          </th>
        </tr>
      </thead>
      <tbody>
        {[...facts].sort(byWeight).map((line) => (
          <tr key={line.fact}>
            <th scope="row">
              <span className="fact-name">
                <FactMark line={line} />
                {FACT_WORDS[line.fact]}
              </span>
            </th>
            <td>{line.declared ?? <Missing reason="not declared" />}</td>
            <td className={line.differ > 0 ? "font-medium" : undefined}>
              {line.lambda ?? <Missing reason="Lambda does not say it" />}
            </td>
            <td className={line.differ > 0 ? "font-medium" : undefined}>
              {line.gpus ?? <Missing reason="nothing reports it" />}
            </td>
            <td className="text-text-2">{countsOf(line)}</td>
            <td className="num">
              {effectText(line.monthMicros, line.memoryGb) ?? <span className="muted">none</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** What differs first, then what nobody verified; otherwise the order of the checks. */
function byWeight(a: FactLine, b: FactLine): number {
  const weight = ({ differ, severity, unverified }: FactLine) =>
    differ > 0 ? (severity === "critical" ? 0 : severity === "warning" ? 1 : 2) : unverified > 0 ? 3 : 4;
  return weight(a) - weight(b);
}

function FactMark({ line }: { line: FactLine }) {
  if (line.differ > 0) {
    const isCritical = line.severity === "critical";
    const tone = isCritical ? "crit" : line.severity === "warning" ? "warn" : "info";
    const Icon = shapes[isCritical ? "x" : line.severity === "warning" ? "triangle-alert" : "info"];
    return (
      <span className={`status tone-${tone}`} title="differs">
        <Icon size={14} aria-hidden="true" />
        <span className="sr-only">Differs: </span>
      </span>
    );
  }
  return <StatusMark of={line.unverified > 0 ? "notChecked" : "pass"} />;
}

function countsOf({ agree, differ, unverified }: FactLine): string {
  return [
    ...(differ > 0 ? [`${differ} differ${differ === 1 ? "s" : ""}`] : []),
    ...(agree > 0 ? [`${agree} agree${agree === 1 ? "s" : ""}`] : []),
    ...(unverified > 0 ? [`${unverified} not verified`] : []),
  ].join(", ");
}

function PriceTable({ group, hours }: { group: GroupView; hours: number }) {
  const price = BigInt(group.pricePerHourMicros ?? 0);
  const declared = price * BigInt(group.count);
  const today = group.prices.reduce((sum, one) => sum + BigInt(one.priceMicros ?? 0) * BigInt(one.machines), 0n);
  const month = BigInt(hours);
  const unknown = group.prices.find(({ priceMicros }) => priceMicros === null)?.machines ?? 0;
  return (
    <Table label={`Price of ${group.name}`} isTight>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">What</span>
          </th>
          <th scope="col" className="num">
            Per day
          </th>
          <th scope="col" className="num">
            Per {hours} h
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            Declared, {group.count} × {formatUsdRate(price)}
          </th>
          <td className="num">{formatUsd(declared * 24n)}</td>
          <td className="num">{formatUsd(declared * month)}</td>
        </tr>
        {group.prices.map(({ machines, priceMicros }) => (
          <tr key={priceMicros ?? ""}>
            <th scope="row">
              Today, {machines} × {priceMicros === null ? "unknown" : formatUsdRate(priceMicros)}
            </th>
            <td className="num">
              {priceMicros === null ? (
                <Missing reason="the price is unknown" />
              ) : (
                formatUsd(BigInt(priceMicros) * BigInt(machines) * 24n)
              )}
            </td>
            <td className="num">
              {priceMicros === null ? (
                <Missing reason="the price is unknown" />
              ) : (
                formatUsd(BigInt(priceMicros) * BigInt(machines) * month)
              )}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Difference{unknown > 0 && `, without ${unknown}`}</th>
          <td className="num">{formatUsdChange((today - declared) * 24n)}</td>
          <td className="num">{formatUsdChange((today - declared) * month)}</td>
        </tr>
      </tfoot>
    </Table>
  );
}
