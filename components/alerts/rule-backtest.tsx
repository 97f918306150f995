"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { KeyFigure } from "@/components/ui/key-figure";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { ErrorState, Loading } from "@/components/ui/states";
import { Instant } from "@/components/ui/time";
import type { BacktestAnswer, KeptBacktest } from "@/lib/domain/alerts/backtest";
import { inputOf, type RuleDraft, thresholdOf } from "@/lib/domain/alerts/draft";
import { formatCount, formatNumber, formatUsd } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import { backtestQuery } from "@/lib/queries/backtest";
import { BacktestChart } from "./backtest-chart";
import { BacktestIncidents, BacktestTargets } from "./backtest-parts";

const SETTLED_AFTER_MS = 350;
const DAYS = [
  { value: "7", label: "7 d" },
  { value: "30", label: "30 d" },
  { value: "90", label: "90 d" },
] as const;

type Props = {
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
};

/** What the draft would have made of the real history; asked again whenever the draft has stood still for a moment. */
export function RuleBacktest({ draft, onChange }: Props) {
  const [days, setDays] = useState<(typeof DAYS)[number]["value"]>("30");
  const [alertId, setAlertId] = useState("");
  const settled = useSettled(draft);
  const canAsk = thresholdOf(settled, settled.threshold) !== null;
  const {
    data: answer,
    isError,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...backtestQuery({ ...inputOf(settled), days: Number(days), ...(alertId !== "" && { alertId }) }),
    enabled: canAsk,
  });
  // A draft that is refused leaves the picture of the one before, on which the line can be dragged back.
  const [last, setLast] = useState(answer);
  if (answer !== undefined && answer !== last) setLast(answer);
  const data = answer ?? last;
  const title = "On the real history";
  if (!data)
    return (
      <Panel title={title}>
        {isError ? (
          <ErrorState
            title="It could not be tested"
            text={`${error.message} The rule can be saved all the same.`}
            onRetry={() => void refetch()}
          />
        ) : canAsk ? (
          <Loading rows={9} />
        ) : (
          <p className="muted">Give a threshold, and it is held against what was measured.</p>
        )}
      </Panel>
    );
  if (data.result === null)
    return (
      <Panel title={title}>
        <p className="muted">{data.why}</p>
      </Panel>
    );
  return (
    <Panel
      title={title}
      sub={`${formatCount(data.result.samples, "sample")} judged in ${(data.result.tookMs / 1_000).toFixed(1)} s`}
      isRefreshing={isFetching || settled !== draft}
      actions={<Segmented label="How far back" options={DAYS} value={days} onChange={setDays} />}
    >
      {isError && (
        <Note tone="warn">
          <b>This is the picture before your last change.</b> {error.message.replace(/^\w+: /, "")}
        </Note>
      )}
      <Figures result={data.result} />
      <BacktestChart draft={draft} tested={settled} onChange={onChange} result={data.result} />
      <BacktestTargets result={data.result} />
      <BacktestIncidents
        incidents={data.incidents}
        incident={data.result.incident}
        draft={settled}
        alertId={alertId}
        onChoose={setAlertId}
      />
    </Panel>
  );
}

type Result = NonNullable<BacktestAnswer["result"]>;

function Figures({ result }: { result: Result }) {
  const { fired, firedTargets, targets, firingMs, longestMs, micros, unpriced, perWeek, from, isCut } = result;
  return (
    <>
      <div className="backtest-figures">
        <KeyFigure
          label="Would have fired"
          value={formatNumber(fired)}
          unit={fired === 1 ? "time" : "times"}
          note={`${formatNumber(perWeek, 1)} a week`}
        />
        <KeyFigure label="On" value={formatNumber(firedTargets)} unit={`of ${formatCount(targets, "GPU")}`} />
        <KeyFigure
          label="Time firing"
          value={formatDuration(firingMs)}
          note={firingMs > 0 ? `longest ${formatDuration(longestMs)}` : undefined}
        />
        <KeyFigure
          label="Cost while firing"
          value={formatUsd(micros)}
          note={unpriced > 0 ? `${formatCount(unpriced, "GPU")} without a price left out` : "at the price of now"}
        />
      </div>
      {isCut && (
        <Note>
          <b>
            Judged from <Instant at={from} /> on.
          </b>{" "}
          Older samples are not kept; their hours are, and no rule is judged by hours.
        </Note>
      )}
    </>
  );
}

/** The draft once it has not changed for a moment. */
function useSettled(draft: RuleDraft): RuleDraft {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return settled;
}

/** What history said of the version that is judged now, when it was saved. */
export function KeptBacktestPanel({ kept }: { kept: KeptBacktest }) {
  return (
    <Panel title="Tested before it was saved" sub={`version ${kept.version}`}>
      <p>
        On <Instant at={kept.from} /> to <Instant at={kept.to} /> it would have fired {formatCount(kept.fired, "time")}{" "}
        on {kept.firedTargets} of {formatCount(kept.targets, "GPU")}
        {kept.fired > 0 && `, for ${formatDuration(kept.firingMs)} in all, at ${formatUsd(kept.micros)}`}.
        {kept.noisiest.length > 0 &&
          ` Most often: ${kept.noisiest.map(({ name, fired }) => `${name} (${fired})`).join(", ")}.`}
      </p>
    </Panel>
  );
}
