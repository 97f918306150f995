"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import {
  type ExploreAnswer,
  type ExploreQuestion,
  questionText,
  type SpendGroup,
  withFilter,
} from "@/lib/domain/cost/explore";
import { sharesOf } from "@/lib/domain/cost/stack";
import { formatCount, formatNumber, formatUsd, formatUsdChange, NONE, THIN } from "@/lib/domain/format";
import { inCents } from "./model";
import { whichOf } from "./spend-sum";
import { boundsOf, rowsHref, SPEND_WORDS } from "./spend-words";
import { Amount } from "./statement-panel";
import { useQuestion } from "./use-question";
import { dayRangeWords } from "./words";

/** Lines before "show all". */
const FIRST = 20;

type Props = { data: ExploreAnswer; question: ExploreQuestion; canExport: boolean };

/** What the window's money went to; the lines add up to its total, to the cent, and each opens its rows. */
export function GroupsPanel({ data, question, canExport }: Props) {
  const [isAll, setIsAll] = useState(false);
  const word = SPEND_WORDS[data.by];
  const { compared, total } = data;
  const micros = data.groups.map((group) => BigInt(group.micros));
  const cents = inCents(micros);
  const shares = sharesOf(micros);
  const changes = inCents(data.groups.map((group) => BigInt(group.changeMicros ?? "0")));
  const change = compared ? BigInt(compared.micros) - BigInt(compared.before.micros) : 0n;
  const gone = change - data.groups.reduce((sum, group) => sum + BigInt(group.changeMicros ?? "0"), 0n);
  const isShared = data.groups.some(({ afterSharingMicros }) => afterSharingMicros !== null);
  const after = inCents(data.groups.map((group) => BigInt(group.afterSharingMicros ?? "0")));
  const shown = isAll ? data.groups : data.groups.slice(0, FIRST);
  const before = compared && dayRangeWords(compared.before.fromDay, compared.before.toDay);
  const own = compared && dayRangeWords(compared.fromDay, compared.toDay);
  return (
    <Panel
      span={8}
      isFlush
      title={`By ${word.toLowerCase()}`}
      actions={
        canExport && (
          <TableLinks
            href={`/api/v1/cost/spend?${questionText({ ...question, table: "groups" })}`}
            what={`Cost by ${word.toLowerCase()}`}
          />
        )
      }
      sub={
        compared?.before.isPartlyKnown
          ? `lines add up to the cent; of ${before} only a part is known`
          : "lines add up to the cent"
      }
    >
      <Table label={`Cost by ${word.toLowerCase()}`}>
        <thead>
          <tr>
            <th scope="col">{word}</th>
            <th scope="col" className="num not-phone">
              Hours
            </th>
            <th scope="col" className="num wide-only">
              Bounds
            </th>
            {compared && (
              <th scope="col" className="num not-phone" title={`${own} less ${before}`}>
                vs {before}
              </th>
            )}
            <th scope="col" className="wide-only">
              <span className="sr-only">Share as a bar</span>
            </th>
            <th scope="col" className="num not-phone">
              Share
            </th>
            <th scope="col" className="num">
              Cost
            </th>
            {isShared && (
              <th
                scope="col"
                className="num not-phone"
                title="With its share of common costs, and without what lies in pots"
              >
                After sharing
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((group, index) => (
            <GroupLine
              key={group.key}
              group={group}
              cents={cents[index] ?? 0n}
              share={shares[index] ?? null}
              change={compared ? (changes[index] ?? 0n) : null}
              after={isShared ? (after[index] ?? 0n) : null}
              data={data}
              question={question}
            />
          ))}
          {compared && gone !== 0n && isAll === data.groups.length > FIRST && (
            <tr>
              <th scope="row" className="muted">
                Only in {before}
              </th>
              <td className="not-phone" />
              <td className="wide-only" />
              <td className="num muted not-phone">{formatUsdChange(gone)}</td>
              <td className="wide-only" />
              <td className="not-phone" />
              <td />
              {isShared && <td className="not-phone" />}
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="num not-phone">{hours(total.minutes)}</td>
            <td className="num wide-only">{boundsOf(total, data.cost)?.replace(" from polling", "") ?? ""}</td>
            {compared && <td className="num not-phone">{formatUsdChange(change)}</td>}
            <td className="wide-only" />
            <td className="num not-phone">{BigInt(total.micros) > 0n ? `100.0${THIN}%` : ""}</td>
            <td className="num">
              <Link className="name-link" href={rowsHref(whichOf(question))}>
                <b>{formatUsd(total.micros)}</b>
              </Link>
            </td>
            {isShared && <td className="num not-phone">{formatUsd(total.micros)}</td>}
          </tr>
        </tfoot>
      </Table>
      {data.groups.length > FIRST && (
        <p className="cost-more">
          <Button size="small" onClick={() => setIsAll(!isAll)}>
            {isAll ? `Only the first ${FIRST}` : `Show all ${formatCount(data.groups.length, "line")}`}
          </Button>
        </p>
      )}
    </Panel>
  );
}

const hours = (minutes: number) => (minutes > 0 ? formatNumber(minutes / 60, 1) : NONE);

type LineProps = Omit<Props, "canExport"> & {
  group: SpendGroup;
  cents: bigint;
  share: number | null;
  change: bigint | null;
  after: bigint | null;
};

function GroupLine({ data, question, group, cents, share, change, after }: LineProps) {
  const { hrefOf } = useQuestion();
  const rows = withFilter(whichOf(question), data.by, [group.key]);
  return (
    <tr>
      <th scope="row">
        <i className="cost-swatch" style={{ background: `var(--chart-${group.slot})` }} aria-hidden="true" />
        <Link
          className={group.key === "" ? "name-link muted" : "name-link"}
          href={hrefOf({ [data.by]: rows[data.by] })}
          scroll={false}
          title={`Only ${group.label}`}
        >
          {group.label}
        </Link>
      </th>
      <td className="num not-phone text-text-2">{hours(group.minutes)}</td>
      <td className="num wide-only text-text-2">{boundsOf(group, data.cost)?.replace(" from polling", "") ?? ""}</td>
      {change !== null && <td className="num not-phone text-text-2">{formatUsdChange(change)}</td>}
      <td className="wide-only">
        {share !== null && (
          <Meter
            value={share / 10}
            max={100}
            slot={group.slot}
            widthPx={64}
            label={`${formatNumber(share / 10, 1)} % of all`}
          />
        )}
      </td>
      <td className="num not-phone text-text-2">{share === null ? "" : `${formatNumber(share / 10, 1)}${THIN}%`}</td>
      <td className="num">
        <Link className="name-link" href={rowsHref(rows)}>
          <Amount micros={cents} unknownRows={group.unknownRows} />
        </Link>
      </td>
      {after !== null && (
        <td className="num not-phone">
          <Amount micros={after} unknownRows={group.unknownRows} />
        </td>
      )}
    </tr>
  );
}
