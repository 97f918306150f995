"use client";

import type { Route } from "next";
import { Formula } from "@/components/plan/formula";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { StatusMark, shapes } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { FACT_WORDS } from "@/lib/domain/alignment/check";
import { type FactLine, factsByWeight } from "@/lib/domain/alignment/compare";
import { costFigure, effectFigure } from "@/lib/domain/alignment/effect";
import type { AlignmentAnswer, GroupView } from "@/lib/domain/alignment/view";
import { resultWords, verdictWords } from "@/lib/domain/alignment/words";
import { formatUsdRate } from "@/lib/domain/format";
import { differenceFigure } from "@/lib/domain/plan/price-figures";
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
            <FactTable group={group} hours={hours} />
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

function FactTable({ group, hours }: { group: GroupView; hours: number }) {
  const facts = factsByWeight(group.facts);
  return (
    <>
      <ul className="phone-only">
        {facts.map((line) => (
          <FactCard key={line.fact} line={line} group={group} hours={hours} />
        ))}
      </ul>
      <div className="not-phone">
        <Table label={`Facts of ${group.name}`} isTight>
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
            {facts.map((line) => (
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
                <td className="text-text-2">{resultWords(line)}</td>
                <td className="num">
                  <Effect line={line} group={group} hours={hours} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
    </>
  );
}

/** The same on a phone. */
function FactCard({ line, group, hours }: { line: FactLine; group: GroupView; hours: number }) {
  const seen = [line.lambda, line.gpus].filter((value) => value !== null);
  return (
    <RowCard
      name={
        <span className="fact-name">
          <FactMark line={line} />
          {FACT_WORDS[line.fact]}
        </span>
      }
      about={
        <>
          <span>{line.declared === null ? "not declared" : `declared ${line.declared}`}</span>
          <span className={line.differ > 0 ? "font-medium" : undefined}>
            {seen.length === 0 ? "nothing reports it" : `seen ${seen.join("; ")}`}
          </span>
        </>
      }
      value={<Effect line={line} group={group} hours={hours} />}
      more={<span>{resultWords(line)}</span>}
    />
  );
}

function Effect({ line, group, hours }: { line: FactLine; group: GroupView; hours: number }) {
  const { fact, monthMicros, memoryGb, differ } = line;
  const money = effectFigure({ fact, monthMicros, machines: differ }, group, hours);
  const memory = effectText(null, memoryGb);
  if (!money) return memory ?? <span className="muted">none</span>;
  return (
    <>
      <Formula figure={money} />
      {memory && `, ${memory}`}
    </>
  );
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

function PriceTable({ group, hours }: { group: GroupView; hours: number }) {
  const price = group.pricePerHourMicros ?? "0";
  const declared = BigInt(price) * BigInt(group.count);
  const today = group.prices.reduce((sum, one) => sum + BigInt(one.priceMicros ?? 0) * BigInt(one.machines), 0n);
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
          <td className="num">
            <Formula figure={costFigure("Declared, a day", group.count, price, 24)} />
          </td>
          <td className="num">
            <Formula figure={costFigure(`Declared, ${hours} h`, group.count, price, hours)} />
          </td>
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
                <Formula figure={costFigure("Today, a day", machines, priceMicros, 24)} />
              )}
            </td>
            <td className="num">
              {priceMicros === null ? (
                <Missing reason="the price is unknown" />
              ) : (
                <Formula figure={costFigure(`Today, ${hours} h`, machines, priceMicros, hours)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Difference{unknown > 0 && `, without ${unknown}`}</th>
          {[24, hours].map((some) => (
            <td key={some} className="num">
              <Formula
                figure={differenceFigure(
                  `Difference in ${some} h`,
                  { name: "today", micros: today * BigInt(some) },
                  { name: "declared", micros: declared * BigInt(some) },
                )}
              />
            </td>
          ))}
        </tr>
      </tfoot>
    </Table>
  );
}
