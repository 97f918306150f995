"use client";

import { Leaf } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { KeyFigure } from "@/components/ui/key-figure";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Segmented } from "@/components/ui/segmented";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Age } from "@/components/ui/time";
import {
  HOURS_OF_MONTH,
  WASTE_KINDS,
  type WasteAnswer,
  type WasteFinding,
  type WasteKind,
  type WasteQuestion,
} from "@/lib/domain/cost/waste";
import {
  formatCount,
  formatNumber,
  formatPercent,
  formatUsd,
  formatUsdRate,
  formatUsdWhole,
} from "@/lib/domain/format";
import { formatDuration, formatPeriod } from "@/lib/domain/format-time";
import { wasteQuery } from "@/lib/queries/cost-outlook";
import { rowsHref } from "./spend-words";
import { useQuestion } from "./use-question";
import { WASTE_ADVICE, WASTE_WORDS } from "./waste-words";

const DAYS = [
  { value: "7", label: "7 days" },
  { value: "14", label: "14 days" },
  { value: "30", label: "30 days" },
] as const;

/** Money that bought nothing: how much, who, and where it can be seen. */
export function WasteRoom({ question, canExport }: { question: WasteQuestion; canExport: boolean }) {
  const { data } = useLive(wasteQuery(question));
  const { ask } = useQuestion();
  const timeZone = useTimeZone();
  return (
    <>
      <PageTitle
        title="Waste"
        meta={
          <>
            <span>{formatPeriod(data.from, data.to, timeZone)}</span>
            <span>a month is {HOURS_OF_MONTH} h</span>
            <span>what is missing is never idle</span>
          </>
        }
        actions={
          <Segmented
            label="How far back"
            options={DAYS}
            value={DAYS.find(({ value }) => value === String(data.days))?.value ?? "14"}
            onChange={(days) => ask({ days: days === "14" ? undefined : days })}
          />
        }
      />
      <Deck className="cost">
        <Figures data={data} />
        <Panel
          span={12}
          isFlush={data.findings.length > 0}
          title="What could be saved"
          actions={canExport && <TableLinks href={`/api/v1/cost/waste?days=${data.days}`} what="Findings" />}
          sub={`by resource and kind, the most expensive first; a month of ${HOURS_OF_MONTH} h`}
        >
          {data.findings.length === 0 ? (
            <Empty
              icon={Leaf}
              title="Nothing is wasted"
              text="No instance that bills was idle for half an hour, silent, unhealthy or throttled, and every file system is in use."
            />
          ) : (
            <>
              <div className="cost-wide">
                <Findings findings={data.findings} now={data.now} />
              </div>
              <div className="cost-phone">
                {data.findings.map((one) => (
                  <FindingCard key={`${one.resourceId} ${one.kind}`} finding={one} />
                ))}
              </div>
            </>
          )}
          {BigInt(data.goneMicros) > 0n && (
            <p className="cost-remark">
              Another {formatUsd(data.goneMicros)} of the window was wasted on instances that are gone.
            </p>
          )}
        </Panel>
        <KindsPanel data={data} canExport={canExport} />
        <RatesPanel data={data} />
      </Deck>
    </>
  );
}

function Figures({ data }: { data: WasteAnswer }) {
  const { totals, gpu, costMicros } = data;
  const idle = BigInt(totals.idle_empty.micros) + BigInt(totals.idle_held.micros);
  const share = Number(costMicros) > 0 ? formatPercent((100 * Number(idle)) / Number(costMicros)) : null;
  return (
    <>
      <KeyFigure
        span={3}
        label="Could be saved"
        value={formatUsdWhole(data.potentialMicros)}
        unit="a month"
        note={`${HOURS_OF_MONTH} h, each resource counted once`}
      />
      <KeyFigure
        span={3}
        label="Idle"
        value={formatUsd(idle)}
        note={`${formatUsd(totals.idle_empty.micros)} empty, ${formatUsd(totals.idle_held.micros)} held${share === null ? "" : `; ${share} of ${formatUsdWhole(costMicros)}`}`}
      />
      <KeyFigure
        span={3}
        label="Per busy GPU-hour"
        value={gpu.busyMicros === null ? <Missing reason="no GPU was busy" /> : formatUsdRate(gpu.busyMicros)}
        note={
          gpu.busyPct === null
            ? "nothing was reported"
            : `${formatPercent(gpu.busyPct)} of the reported hours were busy`
        }
      />
      <KeyFigure
        span={3}
        label="Per utilised GPU-hour"
        value={
          gpu.utilisedMicros === null ? <Missing reason="nothing was utilised" /> : formatUsdRate(gpu.utilisedMicros)
        }
        note={
          gpu.utilisedPct === null
            ? "nothing was reported"
            : `weighted by ${formatPercent(gpu.utilisedPct)} effective utilisation; paid ${formatUsdRate(gpu.paidMicros)}`
        }
      />
    </>
  );
}

/** Where the newest of it can be seen: the instance's charts in that window, or the rows of a file system. */
function evidenceHref({ kind, resourceId, from, to }: WasteFinding): Route {
  return kind === "unattached"
    ? rowsHref({ days: 30, instance: resourceId })
    : (`/fleet/${resourceId}?from=${Math.floor(from)}&to=${Math.floor(to)}` as Route);
}

function Findings({ findings, now }: { findings: readonly WasteFinding[]; now: number }) {
  const timeZone = useTimeZone();
  return (
    <Table label="Findings">
      <thead>
        <tr>
          <th scope="col">Resource</th>
          <th scope="col">What</th>
          <th scope="col">Team</th>
          <th scope="col">Since</th>
          <th scope="col">Evidence</th>
          <th scope="col" className="num">
            Time
          </th>
          <th scope="col" className="num">
            In the window
          </th>
          <th scope="col" className="num">
            A month
          </th>
        </tr>
      </thead>
      <tbody>
        {findings.map((one) => (
          <tr key={`${one.resourceId} ${one.kind}`}>
            <th scope="row">
              <Subject finding={one} />
            </th>
            <td>
              {WASTE_WORDS[one.kind].label}
              <small className="run-sub">{one.detail ?? WASTE_ADVICE[one.kind]}</small>
            </td>
            <td>{one.team || <span className="muted">unallocated</span>}</td>
            <td className="text-text-2">
              {one.since === null ? <span className="muted">not now</span> : <Age at={one.since} />}
            </td>
            <td>
              <Link className="link" href={evidenceHref(one)}>
                {one.kind === "unattached" ? "ledger rows" : formatPeriod(one.from, Math.min(one.to, now), timeZone)}
              </Link>
            </td>
            <td className="num text-text-2">{formatDuration(one.minutes * 60_000)}</td>
            <td className="num">{formatUsd(one.micros)}</td>
            <td className="num">
              <b>{formatUsd(one.monthMicros)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Subject({ finding }: { finding: WasteFinding }) {
  const sub = [finding.typeName ?? "file system", finding.region].join(", ");
  return (
    <>
      {finding.kind === "unattached" ? (
        <b>{finding.name}</b>
      ) : (
        <Link className="name-link" href={`/fleet/${finding.resourceId}` as Route}>
          {finding.name}
        </Link>
      )}
      <small className="run-sub">{sub}</small>
    </>
  );
}

function FindingCard({ finding }: { finding: WasteFinding }) {
  return (
    <article className="cost-card">
      <div className="min-w-0">
        <Subject finding={finding} />
        <p>
          {WASTE_WORDS[finding.kind].label}, {formatDuration(finding.minutes * 60_000)}
          {finding.since !== null && (
            <>
              , since <Age at={finding.since} />
            </>
          )}
        </p>
        {finding.detail && <p className="muted">{finding.detail}</p>}
        <Link className="link" href={evidenceHref(finding)}>
          {finding.kind === "unattached" ? "Ledger rows" : "Charts of that time"}
        </Link>
      </div>
      <p className="num">
        <b>{formatUsd(finding.monthMicros)}</b>
        <small className="run-sub">a month</small>
      </p>
    </article>
  );
}

function KindsPanel({ data, canExport }: { data: WasteAnswer; canExport: boolean }) {
  const whole = Number(data.costMicros);
  const line = (kind: WasteKind) => {
    const { micros, minutes, resources } = data.totals[kind];
    const { label, note } = WASTE_WORDS[kind];
    return (
      <tr key={kind}>
        <th scope="row">
          {label}
          <small className="run-sub">{note}</small>
        </th>
        <td className="num text-text-2">{resources}</td>
        <td className="num text-text-2">{minutes === 0 ? "0 min" : formatDuration(minutes * 60_000)}</td>
        <td className="num text-text-2 not-phone">
          {kind === "unattached" || whole === 0 ? "" : formatPercent((100 * Number(micros)) / whole)}
        </td>
        <td className="num">
          <b>{formatUsd(micros)}</b>
        </td>
      </tr>
    );
  };
  return (
    <Panel
      span={7}
      isFlush
      title="By kind"
      sub="of the window, instances that are gone included"
      actions={
        canExport && <TableLinks href={`/api/v1/cost/waste?days=${data.days}&table=kinds`} what="Waste by kind" />
      }
    >
      <Table label="Waste by kind" isDense>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" className="num">
              Resources
            </th>
            <th scope="col" className="num">
              Time
            </th>
            <th scope="col" className="num not-phone">
              Of instances
            </th>
            <th scope="col" className="num">
              Cost
            </th>
          </tr>
        </thead>
        <tbody>{WASTE_KINDS.map(line)}</tbody>
      </Table>
      <p className="cost-remark">
        Kinds can overlap: an instance may be silent and unhealthy in the same minute, so the lines have no sum.
      </p>
    </Panel>
  );
}

/** What a GPU-hour comes to once it is asked what it was used for. */
function RatesPanel({ data }: { data: WasteAnswer }) {
  const { gpu } = data;
  const rate = (micros: string | null, reason: string) =>
    micros === null ? <Missing reason={reason} /> : <b>{formatUsdRate(micros)}</b>;
  return (
    <Panel span={5} title="What a GPU-hour costs" sub="by how it was used">
      <dl className="facts">
        <dt>Paid, used or not</dt>
        <dd>{rate(gpu.paidMicros, "no GPU-hour was paid for")}</dd>
        <dt>Per busy hour</dt>
        <dd>{rate(gpu.busyMicros, "no GPU was busy")}</dd>
        <dt>Per utilised hour</dt>
        <dd>{rate(gpu.utilisedMicros, "nothing was utilised")}</dd>
        <dt>GPU-hours paid</dt>
        <dd>{formatNumber(gpu.gpuHours, 1)}</dd>
        <dt>Of them reported</dt>
        <dd>
          {gpu.reportedPct === null ? <Missing reason="no GPU-hour was paid for" /> : formatPercent(gpu.reportedPct)}
        </dd>
      </dl>
      <p className="muted pt-2 text-12">
        Busy: a minute counts whole unless it belongs to half an hour at 5 % or less. Utilised: a minute counts by its
        effective utilisation. Both divide what the reported hours cost; {formatCount(WASTE_KINDS.length, "kind")} of
        waste above say where the difference goes.
      </p>
    </Panel>
  );
}
