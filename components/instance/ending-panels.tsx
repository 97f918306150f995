"use client";

import { Check, CircleCheck, CircleDashed, Hourglass, TriangleAlert, UserCheck, X } from "lucide-react";
import type { Route } from "next";
import { TakeBack } from "@/components/launch/take-back";
import { useLive } from "@/components/page/use-live";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import type { AfterCheck } from "@/lib/domain/intents/aftermath";
import { instanceQuery } from "@/lib/queries/fleet";
import { aftermathQuery } from "@/lib/queries/intents";

type Props = { question: InstancePageQuestion };

const LOOKS = {
  ok: { icon: CircleCheck, tone: "text-ok", word: "done" },
  waiting: { icon: CircleDashed, tone: "text-text-3", word: "not yet" },
  problem: { icon: TriangleAlert, tone: "text-warn", word: "look at this" },
} as const;

/** Whether the end came true in everything it touches; only of a machine that is ending or gone. */
export function AftermathPanel({ question }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { row } = data;
  const isEnding = row.isGone || (row.openIntent?.kind === "terminate" && row.openIntent.acceptedAt !== null);
  return isEnding ? <Aftermath instanceId={question.instanceId} /> : null;
}

function Aftermath({ instanceId }: { instanceId: string }) {
  const { data } = useLive(aftermathQuery(instanceId));
  const { ended } = data;
  return (
    <Panel title="After its end" sub="read anew">
      <ul>
        {data.checks.map((check) => (
          <CheckRow key={check.key} check={check} />
        ))}
      </ul>
      {ended && (
        <div className="border-t border-line pt-2 text-12 text-text-2">
          Asked for by {ended.by}, <Instant at={ended.at} />
          {ended.approvedBy && `; ${ended.approvedBy} agreed`}
          {ended.breakGlassReason && `; nobody else was asked: ${ended.breakGlassReason}`}.
          {ended.reason && ` Reason: ${ended.reason}.`}
          {ended.checklist.length > 0 && (
            <ul className="grid gap-1 pt-2" aria-label="Checklist as it was ticked">
              {ended.checklist.map(({ text, isTicked }) => (
                <li key={text} className="flex items-start gap-2">
                  {isTicked ? (
                    <Check size={14} className="mt-[2px] text-ok" aria-label="ticked" />
                  ) : (
                    <X size={14} className="mt-[2px] text-text-3" aria-label="not ticked" />
                  )}
                  <span>{text}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Panel>
  );
}

function CheckRow({ check }: { check: AfterCheck }) {
  const { icon: Icon, tone, word } = LOOKS[check.state];
  return (
    <li className="after-check">
      <Icon size={16} className={tone} aria-label={word} />
      <span className="min-w-0">
        <b className="block">{check.title}</b>
        <span className="text-12 text-text-2">{check.detail}</span>
      </span>
    </li>
  );
}

type Cancel = Parameters<typeof TakeBack>[0]["cancel"];

/** Says on the machine's page that somebody wants it ended or restarted, and that a second person is asked. */
export function WaitingNote({ question, cancel }: Props & { cancel: Cancel | null }) {
  const { data } = useLive(instanceQuery(question));
  const { openIntent } = data.row;
  if (openIntent?.state === "ready")
    return (
      <Note
        tone="info"
        icon={Hourglass}
        action={
          <>
            {cancel && <TakeBack row={{ id: openIntent.id, name: data.row.name }} cancel={cancel} />}
            <ButtonLink size="small" href={"/launch/queue" as Route}>
              Queue
            </ButtonLink>
          </>
        }
      >
        <b>{openIntent.kind === "terminate" ? "It is to be terminated." : "It is to be restarted."}</b> The request
        waits for its turn at Lambda’s limit.
      </Note>
    );
  if (openIntent?.state !== "awaiting_approval") return null;
  return (
    <Note
      tone="info"
      icon={UserCheck}
      action={
        <ButtonLink size="small" href={"/approvals" as Route}>
          Approvals
        </ButtonLink>
      }
    >
      <b>Somebody asks to {openIntent.kind} it.</b> Nothing is sent before a second person agrees.
    </Note>
  );
}
