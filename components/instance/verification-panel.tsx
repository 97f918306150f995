"use client";

import { Rocket, Trash2 } from "lucide-react";
import type { Route } from "next";
import { VerificationList } from "@/components/launch/verification-list";
import { useLive } from "@/components/page/use-live";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatUsd } from "@/lib/domain/format";
import type { Verification } from "@/lib/domain/intents/verification";
import { instanceQuery } from "@/lib/queries/fleet";
import { verificationQuery } from "@/lib/queries/launch";

const WORDS: Record<Verification["state"], string> = {
  checking: "being checked",
  passed: "as ordered",
  failed: "not as ordered",
};

type Props = { question: InstancePageQuestion; canLaunch: boolean; canTerminate: boolean };

/** Whether the machine is what was ordered; nothing for one that nobody ordered here. */
export function VerificationPanel({ question, canLaunch, canTerminate }: Props) {
  const { instanceId } = question;
  const { data } = useLive(verificationQuery(instanceId));
  const { row } = useLive(instanceQuery(question)).data;
  const { verification } = data;
  if (!data.isOurs || verification === null) return null;
  const isFailed = verification.state === "failed";
  const isGone = row.isGone;
  const isEnding = isGone || row.openIntent?.kind === "terminate";
  return (
    <Panel title="Checks after boot" sub={WORDS[verification.state]}>
      {isFailed && (
        <div className="pb-2">
          <Note tone="crit">
            <b>It {isGone ? "was" : "is"} not what was ordered</b>, and {isGone ? "cost" : "has cost"}{" "}
            {formatUsd(data.costMicros)}
            {!isGone && " so far"}.
          </Note>
        </div>
      )}
      <VerificationList checks={verification.checks} />
      {verification.state === "checking" && (
        <p className="muted pt-2 text-12">
          What is missing by <Instant at={verification.deadlineAt} /> counts as failed.
        </p>
      )}
      {isFailed && (canLaunch || !isEnding) && (
        <p className="flex flex-wrap gap-2 pt-3">
          {canLaunch && (
            <ButtonLink size="small" icon={Rocket} href={`/launch?like=${instanceId}` as Route}>
              {isEnding ? "Relaunch" : "Launch another like it"}
            </ButtonLink>
          )}
          {canTerminate && !isEnding && (
            <ButtonLink
              size="small"
              look="danger"
              icon={Trash2}
              href={`/fleet/${instanceId}?ask=terminate&then=relaunch` as Route}
            >
              Terminate and relaunch
            </ButtonLink>
          )}
        </p>
      )}
    </Panel>
  );
}
