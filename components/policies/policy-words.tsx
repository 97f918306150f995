"use client";

import { CirclePause, Eye, ShieldCheck } from "lucide-react";
import type { Route } from "next";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { ClockTime, Instant } from "@/components/ui/time";
import { formatCount, formatUsd } from "@/lib/domain/format";
import type { PolicyDo } from "@/lib/domain/policies/decide";
import type { PolicyDecision, PolicyMode } from "@/lib/domain/policies/kinds";
import type { ActRow, OutlookRow, PolicyRow } from "@/lib/domain/policies/view";
import { MODE_NAMES } from "@/lib/domain/policies/words";

export function ModeBadge({ mode }: { mode: PolicyMode }) {
  const icon = { paused: CirclePause, shadow: Eye, armed: ShieldCheck }[mode];
  return (
    <Badge tone={mode === "armed" ? "ok" : mode === "shadow" ? "info" : "mute"} icon={icon}>
      {MODE_NAMES[mode]}
    </Badge>
  );
}

const DO_WORDS: Record<PolicyDo, string> = {
  terminate: "Ends",
  launch: "Launches",
  notify: "Says",
  stop_launches: "Stops",
  ask_launches: "Asks before",
};

const WOULD_WORDS: Record<PolicyDo, string> = {
  terminate: "Would end",
  launch: "Would launch",
  notify: "Would say",
  stop_launches: "Would stop",
  ask_launches: "Would ask before",
};

/** "Ends gh-1", and in shadow "Would end gh-1". Names of machines keep their letters. */
export function doWords(
  { act, name, resourceId }: Pick<OutlookRow, "act" | "name" | "resourceId">,
  isShadow = false,
): string {
  const what = resourceId === null && act !== "notify" ? name.charAt(0).toLowerCase() + name.slice(1) : name;
  return `${(isShadow ? WOULD_WORDS : DO_WORDS)[act]} ${what}`;
}

export const DECISION_WORDS: Record<PolicyDecision, string> = {
  planned: "Announced",
  would_act: "Would have acted",
  acted: "Acted",
  skipped: "Let go",
  cancelled: "Taken back",
};

export function decisionTone(decision: PolicyDecision): "ok" | "info" | "warn" | "mute" {
  return ({ planned: "warn", would_act: "info", acted: "ok", skipped: "mute", cancelled: "mute" } as const)[decision];
}

/** What comes next of a policy, in a line. */
export function NextLine({ policy, isStopped }: { policy: PolicyRow; isStopped: boolean }) {
  if (policy.mode === "paused") return <span className="muted">Paused: it does nothing.</span>;
  if (isStopped) return <span className="muted">Waits: all automation is stopped.</span>;
  if (policy.lookedAt === null) return <span className="muted">Has not looked yet; it does within half a minute.</span>;
  const acting = policy.outlook.filter(({ state }) => state === "acts");
  const [next] = policy.outlook
    .filter(({ state, at }) => state === "later" && at !== null)
    .sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const waiting = policy.outlook.filter(({ state }) => state === "waits");
  const isShadow = policy.mode === "shadow";
  return (
    <>
      {acting.length > 0 && (
        <p>
          Now: <b>{acting.map((row) => doWords(row)).join(", ")}</b>
        </p>
      )}
      {next ? (
        <p>
          Next: {doWords(next, isShadow)}, <Instant at={next.at ?? 0} />
        </p>
      ) : (
        acting.length === 0 && <p className="muted">Nothing is due.</p>
      )}
      {waiting.length > 0 && (
        <p className="muted">
          {formatCount(waiting.length, "thing")} left alone: {waiting[0]?.name}, {waiting[0]?.words}
          {waiting.length > 1 && ` and ${waiting.length - 1} more`}
        </p>
      )}
    </>
  );
}

/** What the week in shadow came to. */
export function TallyLine({ policy, now }: { policy: PolicyRow; now: number }) {
  const { tally } = policy;
  const left = policy.armableAt - now;
  return (
    <>
      <p>
        Would have acted {formatCount(tally.wouldAct, "time")}, saved <b>{formatUsd(tally.savedMicros)}</b>
      </p>
      <p className="muted">
        since <Instant at={tally.since} />
        {tally.resumed > 0 && `; ${tally.resumed} of them had work again later`}
        {policy.mode === "shadow" && left > 0 && (
          <>
            ; may be armed from <Instant at={policy.armableAt} />
          </>
        )}
      </p>
    </>
  );
}

export function ActLine({ act }: { act: ActRow }) {
  return (
    <p>
      <span className="muted">
        <ClockTime at={act.decidedAt} seconds={false} />
      </span>{" "}
      {DECISION_WORDS[act.decision]}: <TargetName of={act} />
    </p>
  );
}

export function TargetName({ of: { name, resourceId } }: { of: Pick<ActRow, "name" | "resourceId"> }) {
  if (resourceId === null) return <>{name}</>;
  return (
    <Link className="name-link" href={`/fleet/${resourceId}` as Route}>
      {name}
    </Link>
  );
}
