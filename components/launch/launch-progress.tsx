"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Circle, CircleCheck, CircleX, Loader, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import { type ReactNode, useTransition } from "react";
import { PanelFrame } from "@/components/page/panel-frame";
import { useLive } from "@/components/page/use-live";
import { Button, ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Age, Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatUsd } from "@/lib/domain/format";
import { launchSteps, type StepState } from "@/lib/domain/intents/progress";
import type { Verification } from "@/lib/domain/intents/verification";
import type { Result } from "@/lib/errors";
import { intentQuery } from "@/lib/queries/intents";
import { verificationQuery } from "@/lib/queries/launch";
import { LaunchBatch } from "./launch-batch";
import { VerificationList } from "./verification-list";

type Props = { intentId: string; cancel: ((input: { intentId: string }) => Promise<Result<{ id: string }>>) | null };

const LOOKS: Record<StepState, { icon: typeof Circle; tone: string; word: string }> = {
  done: { icon: CircleCheck, tone: "text-ok", word: "Done" },
  now: { icon: Loader, tone: "text-info", word: "Now" },
  later: { icon: Circle, tone: "text-text-3", word: "Later" },
  failed: { icon: CircleX, tone: "text-crit", word: "Failed" },
  unknown: { icon: TriangleAlert, tone: "text-warn", word: "Unknown" },
};

/** A launch as it happens, from the request to the first sample. */
export function LaunchProgress({ intentId, cancel }: Props) {
  const client = useQueryClient();
  const { data, failure } = useLive(intentQuery(intentId));
  const [isPending, start] = useTransition();
  const { row } = data;
  const steps = launchSteps(row);
  const takeBack = () =>
    start(async () => {
      const result = await cancel?.({ intentId });
      if (result && !result.ok) toast("crit", "Not taken back", result.error.message);
      await client.invalidateQueries({ queryKey: ["intents", "one", intentId] });
    });
  return (
    <>
      <PageTitle
        title={row.name}
        meta={
          <>
            <span className="mono">{row.typeName}</span>
            <span>{row.region}</span>
            <span>
              asked by {row.by} <Age at={row.createdAt} />
            </span>
          </>
        }
        actions={
          <>
            {row.isCancellable && cancel && (
              <Button look="danger" isPending={isPending} onClick={takeBack}>
                Take it back
              </Button>
            )}
            {row.instance && (
              <ButtonLink look="primary" href={`/fleet/${row.instance.id}` as Route}>
                Open the instance
              </ButtonLink>
            )}
          </>
        }
      />
      <Deck>
        <Panel span={12} title="Launch">
          <ol aria-label="Progress" aria-live="polite">
            {steps.map((step) => {
              const { icon: Icon, tone, word } = LOOKS[step.state];
              return (
                <li key={step.name} className="progress-step">
                  <Icon size={16} className={tone} aria-hidden="true" />
                  <b>{step.name}</b>
                  <span className={step.state === "later" ? "muted" : "text-text-2"}>
                    <span className="sr-only">{word}: </span>
                    {step.words}
                    {step.at !== null && at(step.at)}
                  </span>
                </li>
              );
            })}
          </ol>
          {row.state === "indeterminate" && (
            <Note tone="warn">
              <b>Lambda did not answer, so the machine may exist and bill.</b> It is looked for by its name and tag, and
              is never asked for twice. Do not launch another one yet.
            </Note>
          )}
          {row.error && row.state !== "indeterminate" && <Note tone="crit">{row.error}</Note>}
          {row.state === "awaiting_approval" && (
            <Note
              tone="info"
              action={
                <ButtonLink size="small" href={"/approvals" as Route}>
                  Approvals
                </ButtonLink>
              }
            >
              <b>It waits for a second person.</b> Nothing was sent; it expires when nobody agrees in time.
            </Note>
          )}
          {failure && <Note tone="warn">This page has lost its server; the launch goes on without it.</Note>}
        </Panel>
        <PanelFrame label="The other launches" span={12} rows={0}>
          <LaunchBatch intentId={intentId} />
        </PanelFrame>
        {row.instance && row.instance.activeAt !== null && (
          <PanelFrame label="The checks after boot" span={12} rows={6}>
            <Verified instanceId={row.instance.id} canLaunch={cancel !== null} />
          </PanelFrame>
        )}
      </Deck>
    </>
  );
}

/** Whether the machine is what was ordered, as its agent says. */
function Verified({ instanceId, canLaunch }: { instanceId: string; canLaunch: boolean }) {
  const { data } = useLive(verificationQuery(instanceId));
  const { verification } = data;
  if (verification === null) return null;
  return (
    <Panel span={12} title="Verified" sub={VERIFIED_WORDS[verification.state]}>
      <VerificationList checks={verification.checks} />
      {verification.state === "failed" && (
        <div className="pt-3">
          <Note
            tone="crit"
            action={
              canLaunch && (
                <ButtonLink size="small" href={`/launch?like=${instanceId}` as Route}>
                  Launch another like it
                </ButtonLink>
              )
            }
          >
            <b>It is not what was ordered</b>, and has cost {formatUsd(data.costMicros)} so far.
          </Note>
        </div>
      )}
    </Panel>
  );
}

const VERIFIED_WORDS: Record<Verification["state"], string> = {
  checking: "being checked",
  passed: "as ordered",
  failed: "not as ordered",
};

function at(instant: number): ReactNode {
  return (
    <>
      {" "}
      <Instant at={instant} seconds />
    </>
  );
}
