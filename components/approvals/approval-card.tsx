"use client";

import { Check, Power, Rocket, X } from "lucide-react";
import type { Route } from "next";
import { Ending } from "@/components/instance-actions/evidence-facts";
import { Concerns, UseLine } from "@/components/instance-actions/evidence-notes";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { MachineEvidence } from "@/components/terminate/machine-evidence";
import { Button } from "@/components/ui/button";
import { useClock } from "@/components/ui/clock";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsdRate } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type {
  ApproveMany,
  BreakGlassMany,
  DecisionAnswer,
  RefuseMany,
  WaitingAct,
  WaitingIntent,
} from "@/lib/domain/intents/waiting";
import { ReasonDialog } from "./reason-dialog";

export type Deciding = {
  approve: Act<ApproveMany, DecisionAnswer>;
  refuse: Act<RefuseMany, DecisionAnswer>;
  breakGlass: Act<BreakGlassMany, DecisionAnswer>;
  cancel: Act<{ intentId: string }, { id: string }>;
};

const VERBS = { launch: "launch", terminate: "terminate", restart: "restart" } as const;

/** One request that waits: who asks for what and why, how it stands now, and the two answers to it. */
export function ApprovalCard({ act, verbs }: { act: WaitingAct; verbs: Deciding }) {
  const [first] = act.intents;
  const rate = act.intents.reduce<bigint | null>(
    (sum, { microsPerHour }) => (sum === null || microsPerHour === null ? null : sum + BigInt(microsPerHour)),
    0n,
  );
  const isOne = act.intents.length === 1;
  return (
    <Panel
      span={12}
      title={title(act)}
      sub={
        <>
          {act.by} asks, <Age at={act.at} />
        </>
      }
      actions={<TimeLeft until={act.until} />}
    >
      <div className="approval-parts">
        <div className="approval-evidence">
          {act.intents
            .filter(({ changed }) => changed.length > 0)
            .map(({ id, name, changed }) => (
              <Note key={id} tone="warn">
                <b>Since it was asked for{isOne ? "" : `, ${name}`}:</b> {changed.join("; ")}.
              </Note>
            ))}
          {isOne && first?.evidence ? (
            <>
              <Concerns data={first.evidence} />
              <UseLine data={first.evidence} />
              <Ending data={first.evidence} />
            </>
          ) : (
            <ul className="machine-evidences">
              {act.intents.map((one) =>
                one.evidence ? <MachineEvidence key={one.id} data={one.evidence} /> : <Plain key={one.id} one={one} />,
              )}
            </ul>
          )}
        </div>
        <div className="approval-answer">
          <Facts
            rows={[
              ["Asked by", act.by],
              [
                act.kind === "launch" ? "Costs" : "Saves",
                rate === null ? <Missing key="rate" reason="the price is unknown" /> : formatUsdRate(rate),
              ],
              ["Could agree", formatCount(act.others, "other person", "other people")],
            ]}
          />
          <p>{act.reason ? `“${act.reason}”` : <span className="muted">They gave no reason.</span>}</p>
          <p className="text-12 text-text-2">{act.why}</p>
          <Ticks intents={act.intents} />
          <Answers act={act} verbs={verbs} />
        </div>
      </div>
    </Panel>
  );
}

function title({ kind, intents }: WaitingAct) {
  const [first] = intents;
  const verb = VERBS[kind].charAt(0).toUpperCase() + VERBS[kind].slice(1);
  if (intents.length > 1) return `${verb} ${formatCount(intents.length, "instance")}`;
  return first?.instanceId ? (
    <>
      {verb}{" "}
      <Link className="link" href={`/fleet/${first.instanceId}` as Route}>
        {first.name}
      </Link>
    </>
  ) : (
    `${verb} ${first?.name ?? ""}`
  );
}

function TimeLeft({ until }: { until: number }) {
  const leftMs = useClock((now) => Math.max(0, Math.ceil((until - now) / 60_000) * 60_000));
  return <span className={leftMs < 15 * 60_000 ? "text-warn" : "muted"}>{formatDuration(leftMs)} left</span>;
}

function Plain({ one }: { one: WaitingIntent }) {
  return (
    <li className="machine-evidence">
      <span className="min-w-0">
        <b className="block">{one.name}</b>
        <span className="mono text-12 text-text-2">
          {one.typeName ?? "unknown type"}
          {one.region && `, ${one.region}`}
        </span>
      </span>
      <b>{one.microsPerHour === null ? "price unknown" : formatUsdRate(one.microsPerHour)}</b>
    </li>
  );
}

/** The checklist as the one who asked left it. */
function Ticks({ intents }: { intents: readonly WaitingIntent[] }) {
  const points = new Map(intents.flatMap(({ checklist }) => checklist.map(({ text, isTicked }) => [text, isTicked])));
  if (points.size === 0) return null;
  return (
    <ul aria-label="Checklist" className="grid gap-1 text-12">
      {[...points].map(([text, isTicked]) => (
        <li key={text} className="flex items-center gap-2">
          {isTicked ? (
            <Check size={14} className="text-ok" aria-label="ticked" />
          ) : (
            <X size={14} className="text-warn" aria-label="not ticked" />
          )}
          <span className={isTicked ? "" : "text-text-2"}>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function Answers({ act, verbs }: { act: WaitingAct; verbs: Deciding }) {
  const approve = useAct(verbs.approve);
  const cancel = useAct(verbs.cancel);
  const intentIds = act.intents.map(({ id }) => id);
  const said = (done: string) => (answer: DecisionAnswer) => {
    const left = answer.outcomes.filter(({ isDone }) => !isDone);
    if (left.length === 0) toast("ok", done);
    else toast("warn", `${done}, but for ${left.length}`, left[0]?.words ?? "");
  };
  const danger = act.kind === "terminate";
  return (
    <>
      {act.denied !== null && <Note>{act.denied}</Note>}
      {act.isOwn && act.others === 0 && (
        <Note tone="warn">
          <b>Nobody else could agree.</b> You are the only one with the right; break the glass with a reason, or let
          another admin in.
        </Note>
      )}
      <div className="approval-acts">
        {act.denied === null && (
          <>
            <Button
              look={danger ? "danger-solid" : "primary"}
              icon={danger ? Power : act.kind === "launch" ? Rocket : Check}
              isPending={approve.isPending}
              onClick={() =>
                approve.run(
                  {
                    intents: act.intents.map(({ id, planHash, evidence }) => ({
                      intentId: id,
                      planHash,
                      seen: evidence?.seen ?? null,
                    })),
                  },
                  said("Approved: it is sent when its turn comes"),
                )
              }
            >
              Approve and {VERBS[act.kind]}
              {act.intents.length > 1 ? ` all ${act.intents.length}` : ""}
            </Button>
            <ReasonDialog
              word="Refuse"
              title={`Refuse what ${act.by} asks for?`}
              about="It ends as refused and is not sent. They may ask anew."
              label="Why not"
              act={verbs.refuse}
              inputOf={(reason) => ({ intentIds, reason })}
              onDone={said("Refused")}
            />
          </>
        )}
        {act.isOwn && (
          <Button
            icon={X}
            isPending={cancel.isPending}
            onClick={() => {
              for (const intentId of intentIds) cancel.run({ intentId }, () => toast("ok", "Taken back"));
            }}
          >
            Take it back
          </Button>
        )}
        {act.denied !== null && act.mayBreakGlass && (
          <ReasonDialog
            word="Break the glass"
            look="danger"
            title="Go ahead without a second person?"
            about="It is sent at once. An alarm goes to everybody who is on call, and the reason stays in the audit trail under your name."
            label="Why nobody else can be asked"
            act={verbs.breakGlass}
            inputOf={(reason) => ({ intentIds, reason })}
            onDone={said("The glass is broken: it is sent, and everybody is told")}
          />
        )}
      </div>
      <Refusal failure={approve.failure ?? cancel.failure} />
    </>
  );
}
