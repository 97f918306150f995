"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Circle, CircleCheck, CircleX, Loader, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import { type ReactNode, useTransition } from "react";
import { useLive } from "@/components/page/use-live";
import { Button, ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Age, Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { launchSteps, type StepState } from "@/lib/domain/intents/progress";
import type { Result } from "@/lib/errors";
import { intentQuery } from "@/lib/queries/intents";

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
          {failure && <Note tone="warn">This page has lost its server; the launch goes on without it.</Note>}
        </Panel>
      </Deck>
    </>
  );
}

function at(instant: number): ReactNode {
  return (
    <>
      {" "}
      <Instant at={instant} seconds />
    </>
  );
}
