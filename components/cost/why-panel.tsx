"use client";

import type { Route } from "next";
import { useMemo } from "react";
import { BridgeChart } from "@/components/charts/bridge-chart";
import { bridgeModel } from "@/components/charts/bridge-model";
import { useLive } from "@/components/page/use-live";
import { SelectField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Deck, Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { WHY_DIMENSIONS, type WhyAnswer, type WhyLine, type WhyQuestion } from "@/lib/domain/cost/why-view";
import { formatCount, formatUsd, formatUsdChange, NONE } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import { whyQuery } from "@/lib/queries/spend";
import { inCents } from "./model";
import { rowsHref } from "./spend-words";
import { useQuestion } from "./use-question";
import { barHref, causeWords, lineHref, lineName, MIX_WORDS, rateOf, STEP_WORDS, sideWords } from "./why-words";
import { monthName } from "./words";

/** Lines of keys that are listed; the rest stand together. */
const MOST_LINES = 12;

/** Why the month is not the one before: steps that add up to the difference to the cent, each with its cause. */
export function WhyDeck({ question, canExport }: { question: WhyQuestion; canExport: boolean }) {
  const { data } = useLive(whyQuery(question));
  const { ask, isPending } = useQuestion();
  const before = data.before ? monthName(data.before.month, false) : "the month before";
  return (
    <Deck className="cost-why">
      <Panel
        span={12}
        isFlush
        isRefreshing={isPending}
        title={`Why ${monthName(data.month, false)} is not ${before}`}
        sub={
          data.isCurrent
            ? "the same whole days of both; price, volume and mix add up exactly"
            : "whole months; price, volume and mix add up exactly"
        }
        actions={
          <>
            {canExport && data.lines.length > 0 && (
              <TableLinks href={`/api/v1/cost/why?month=${data.month}&mix=${data.mix}`} what="The difference" />
            )}
            <SelectField
              label="Mix and price by"
              isLabelHidden
              value={data.mix}
              onChange={({ target }) => ask({ mix: target.value === "sku" ? undefined : target.value })}
            >
              {WHY_DIMENSIONS.map((one) => (
                <option key={one} value={one}>
                  By {MIX_WORDS[one]}
                </option>
              ))}
            </SelectField>
          </>
        }
      >
        {data.own && data.before ? (
          <Why data={data} sides={{ own: data.own, before: data.before }} />
        ) : (
          <p className="cost-remark">
            {data.isCurrent
              ? "There is nothing to compare yet: no whole day of this month is over, or nothing is known of the month before."
              : "Nothing is known of the month before."}
          </p>
        )}
      </Panel>
    </Deck>
  );
}

type Props = {
  data: WhyAnswer;
  sides: { own: NonNullable<WhyAnswer["own"]>; before: NonNullable<WhyAnswer["before"]> };
};

function Why({ data, sides }: Props) {
  const { own, before } = sides;
  const words = sideWords(data, sides);
  const changes = useMemo(() => inCents(data.steps.map(({ micros }) => BigInt(micros))), [data.steps]);
  const model = useMemo(
    () =>
      bridgeModel({
        unit: "usdMicros",
        before: { label: words.before, amount: Number(before.micros), text: formatUsd(before.micros) },
        steps: data.steps.map(({ step, micros }, index) => ({
          id: step,
          label: STEP_WORDS[step],
          change: Number(micros),
          text: formatUsdChange(changes[index] ?? 0n),
        })),
        own: { label: words.own, amount: Number(own.micros), text: formatUsd(own.micros) },
      }),
    [data.steps, changes, own.micros, before.micros, words.own, words.before],
  );
  const total = BigInt(own.micros) - BigInt(before.micros);
  const unknown = own.unknownRows + before.unknownRows;
  return (
    <>
      <div className="cost-bridge">
        <BridgeChart
          title={`From ${formatUsd(before.micros)} to ${formatUsd(own.micros)}`}
          model={model}
          hrefOf={(id) => barHref(id, sides)}
        />
        <ul className="cost-list">
          {data.steps.map(({ step }, index) => (
            <li key={step} className="cost-step">
              <b>{STEP_WORDS[step]}</b>
              <span className="muted">{causeWords(step, data, sides)}</span>
              <span className="num">{formatUsdChange(changes[index] ?? 0n)}</span>
            </li>
          ))}
          <li className="cost-step">
            <b>Difference</b>
            <span className="muted">
              {words.own} less {words.before}
              {before.isPartlyKnown &&
                data.knownFrom !== null &&
                `, known only from ${formatDay(data.knownFrom, data.zone)}`}
            </span>
            <b className="num">{formatUsdChange(total)}</b>
          </li>
        </ul>
      </div>
      {unknown > 0 && (
        <p className="cost-remark">{formatCount(unknown, "row")} of unknown price are counted, and in no step.</p>
      )}
      <LinesTable data={data} sides={sides} />
      <Changed data={data} />
    </>
  );
}

const EFFECTS = ["hours", "volume", "mix", "price"] as const;

function LinesTable({ data, sides }: Props) {
  const words = sideWords(data, sides);
  const hasHours = data.steps.some(({ step }) => step === "hours");
  const effects = EFFECTS.filter((effect) => effect !== "hours" || hasHours);
  const listed = data.lines.slice(0, MOST_LINES);
  const rest = data.lines.slice(MOST_LINES);
  const sumOf = (lines: readonly WhyLine[], effect: (typeof EFFECTS)[number]) =>
    lines.reduce((sum, line) => sum + BigInt(line[effect]), 0n);
  if (data.lines.length === 0) return null;
  return (
    <div id="why-lines">
      <Table label={`Difference by ${MIX_WORDS[data.mix]}`} isDense>
        <thead>
          <tr>
            <th scope="col">Instances by {MIX_WORDS[data.mix]}</th>
            <th scope="col" className="num">
              {words.before}
            </th>
            <th scope="col" className="num not-phone">
              $ per GPU-hour
            </th>
            {effects.map((effect) => (
              <th key={effect} scope="col" className="num">
                {STEP_WORDS[effect]}
              </th>
            ))}
            <th scope="col" className="num">
              {words.own}
            </th>
            <th scope="col" className="num not-phone">
              $ per GPU-hour
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map((line) => (
            <tr key={line.key}>
              <th scope="row">{lineName(line, data.mix)}</th>
              <AmountCell href={lineHref(line, sides.before, data)} micros={line.before.micros} />
              <td className="num not-phone text-text-2">{rateText(line.before)}</td>
              {effects.map((effect) => (
                <td key={effect} className="num text-text-2">
                  {formatUsdChange(line[effect])}
                </td>
              ))}
              <AmountCell href={lineHref(line, sides.own, data)} micros={line.own.micros} />
              <td className="num not-phone text-text-2">{rateText(line.own)}</td>
            </tr>
          ))}
          {rest.length > 0 && (
            <tr>
              <th scope="row" className="muted">
                {formatCount(rest.length, "other")}
              </th>
              <td className="num muted">
                {formatUsd(rest.reduce((sum, { before }) => sum + BigInt(before.micros), 0n))}
              </td>
              <td className="not-phone" />
              {effects.map((effect) => (
                <td key={effect} className="num muted">
                  {formatUsdChange(sumOf(rest, effect))}
                </td>
              ))}
              <td className="num muted">{formatUsd(rest.reduce((sum, { own }) => sum + BigInt(own.micros), 0n))}</td>
              <td className="not-phone" />
            </tr>
          )}
        </tbody>
      </Table>
    </div>
  );
}

function rateText(side: WhyLine["own"]): string {
  const rate = rateOf(side);
  return rate === null ? NONE : formatUsd(rate);
}

function AmountCell({ href, micros }: { href: Route; micros: string }) {
  return (
    <td className="num">
      {micros === "0" ? (
        <span className="muted">{NONE}</span>
      ) : (
        <Link className="name-link" href={href}>
          {formatUsd(micros)}
        </Link>
      )}
    </td>
  );
}

/** Machines that cost something in one of the windows only. */
function Changed({ data }: { data: WhyAnswer }) {
  if (data.resources.length === 0) return null;
  const own = data.own;
  const more = data.newResources + data.goneResources - data.resources.length;
  return (
    <ul className="cost-changed" aria-label="Instances that are new or gone">
      {data.resources.map((one) => (
        <li key={one.id}>
          <Link
            className="name-link"
            href={rowsHref({ instance: one.id, ...(own && { month: one.isNew ? own.month : data.before?.month }) })}
          >
            {one.name}
          </Link>{" "}
          <span className="muted">
            {one.isNew ? "new" : "gone"}, {formatUsd(one.micros)}
          </span>
        </li>
      ))}
      {more > 0 && <li className="muted">{more} more</li>}
    </ul>
  );
}
