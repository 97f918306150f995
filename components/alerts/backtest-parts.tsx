"use client";

import { useTimeZone } from "@/components/ui/clock";
import { SelectField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Table } from "@/components/ui/table";
import type { BacktestAnswer, BacktestIncident, BacktestTarget } from "@/lib/domain/alerts/backtest";
import type { RuleDraft } from "@/lib/domain/alerts/draft";
import { quantity } from "@/lib/domain/alerts/message";
import { metricOf } from "@/lib/domain/alerts/rules";
import { formatCount, formatNumber, formatUsd, NONE } from "@/lib/domain/format";
import { formatDuration, formatInstant } from "@/lib/domain/format-time";

type Result = NonNullable<BacktestAnswer["result"]>;

const SHOWN = 8;

/** Where it would have fired, the noisiest first. */
export function BacktestTargets({ result }: { result: Result }) {
  const { noisiest, hidden, quiet, unknownMs, from, to } = result;
  const more = Math.max(0, noisiest.length - SHOWN) + hidden;
  return (
    <>
      {noisiest.length > 0 && (
        <Table label="Where it would have fired" isDense isBare className="backtest-rows">
          <thead>
            <tr>
              <th scope="col">Where it would have fired</th>
              <th scope="col" className="not-phone">
                <span className="sr-only">When</span>
              </th>
              <th scope="col" className="num">
                Fired
              </th>
              <th scope="col" className="num">
                For
              </th>
              <th scope="col" className="num">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {noisiest.slice(0, SHOWN).map((one) => (
              <tr key={one.key}>
                <th scope="row">{one.name}</th>
                <td className="strip-cell not-phone">
                  <Strip target={one} from={from} to={to} />
                </td>
                <td className="num">{formatNumber(one.fired)}</td>
                <td className="num">{formatDuration(one.firingMs)}</td>
                <td className="num">{one.micros === null ? NONE : formatUsd(one.micros)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <p className="muted pt-2">
        {more > 0 && `${formatCount(more, "other GPU")} would have fired less often. `}
        {quiet > 0 && `${formatCount(quiet, "GPU")} would not have fired. `}
        {unknownMs > 0 &&
          `For ${formatDuration(unknownMs)} of all GPUs together nothing was reported: nothing fires and nothing resolves then.`}
      </p>
    </>
  );
}

const KINDS = ["unknown", "pending", "firing"] as const;

function Strip({ target, from, to }: { target: BacktestTarget; from: number; to: number }) {
  const share = (at: number) => ((Math.max(at, from) - from) / (to - from)) * 100;
  return (
    <span className="strip" aria-hidden="true">
      {KINDS.flatMap((kind) =>
        target[kind].map(([a, b]) => (
          <i key={`${kind}${a}`} data-kind={kind} style={{ left: `${share(a)}%`, width: `${share(b) - share(a)}%` }} />
        )),
      )}
    </span>
  );
}

type IncidentProps = {
  incidents: BacktestAnswer["incidents"];
  incident: BacktestIncident | null;
  draft: RuleDraft;
  alertId: string;
  onChoose: (alertId: string) => void;
};

/** A past alert that the draft is held against: would it have been told, and when? */
export function BacktestIncidents({ incidents, incident, draft, alertId, onChoose }: IncidentProps) {
  const timeZone = useTimeZone();
  if (incidents.length === 0 && alertId === "") return null;
  return (
    <div className="grid gap-2 pt-2">
      <SelectField
        label="Hold it against an alert"
        name="alertId"
        value={alertId}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">None</option>
        {incidents.map((one) => (
          <option key={one.id} value={one.id}>
            {one.ruleName}, {one.targetName}, {formatInstant(one.firedAt, { timeZone })}
          </option>
        ))}
      </SelectField>
      {incident && <Found incident={incident} draft={draft} />}
    </div>
  );
}

function Found({ incident, draft }: { incident: BacktestIncident; draft: RuleDraft }) {
  const { isCaught, leadMs, closest } = incident;
  const unit = metricOf(draft.kind, draft.metric)?.unit ?? "";
  if (!isCaught)
    return (
      <Note tone="warn">
        <b>It would have missed this.</b>{" "}
        {closest === null
          ? "Nothing was measured there while it lasted."
          : `The value closest to firing was ${quantity(closest, unit)}.`}
      </Note>
    );
  const words =
    leadMs === null || leadMs === 0
      ? "at the same moment"
      : `${formatDuration(Math.abs(leadMs))} ${leadMs > 0 ? "earlier" : "later"}`;
  return (
    <Note tone="ok">
      <b>It would have caught this,</b> {words}.
    </Note>
  );
}
