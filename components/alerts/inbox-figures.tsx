"use client";

import { useClock } from "@/components/ui/clock";
import { KeyFigure } from "@/components/ui/key-figure";
import { Age, Lasting } from "@/components/ui/time";
import { burnOf } from "@/lib/domain/alerts/inbox";
import type { AlertRow, InboxAnswer } from "@/lib/domain/alerts/view";
import { formatCount, formatUsd, formatUsdBurn, formatUsdRate, NONE } from "@/lib/domain/format";
import { isOpenToTake } from "./alert-words";

/** What the alerts that nobody has taken burn, how long they have waited, and whether the rules are judged at all. */
export function InboxFigures({ data }: { data: InboxAnswer }) {
  const waiting = data.rows.filter((row) => isOpenToTake(row) && row.firedAt !== null);
  const { microsPerHour } = burnOf(waiting, data.now);
  const [burn = "", period] = formatUsdBurn(microsPerHour).split("/");
  const oldest = waiting.reduce<AlertRow | null>(
    (found, row) => (found === null || (row.firedAt ?? 0) < (found.firedAt ?? 0) ? row : found),
    null,
  );
  const { evaluator } = data;
  return (
    <>
      <KeyFigure
        span={3}
        label="Burning, taken by nobody"
        value={burn}
        unit={period && `/${period}`}
        note={`${formatUsdRate(microsPerHour)}, ${formatCount(waiting.length, "alert")}`}
      />
      <KeyFigure
        span={3}
        label="So far on these"
        value={<SoFar rows={waiting} />}
        note="since they fired; a machine counts once"
      />
      <KeyFigure
        span={3}
        label="Waiting longest"
        value={oldest?.firedAt == null ? NONE : <Lasting from={oldest.firedAt} to={null} />}
        note={oldest ? `${oldest.targetName}, ${oldest.ruleName}` : "no alert waits"}
      />
      <KeyFigure
        span={3}
        label="Rules on"
        value={evaluator.rules}
        unit={evaluator.late > 0 ? `${evaluator.late} late` : undefined}
        isStale={evaluator.late > 0}
        note={evaluator.judgedAt === null ? "not judged yet" : <Judged at={evaluator.judgedAt} />}
      />
    </>
  );
}

function Judged({ at }: { at: number }) {
  return (
    <>
      judged <Age at={at} staleAfterMs={90_000} />
    </>
  );
}

function SoFar({ rows }: { rows: readonly AlertRow[] }) {
  return useClock((now) => formatUsd(burnOf(rows, now).spentMicros));
}
