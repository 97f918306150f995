"use client";

import { FlaskConical } from "lucide-react";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { formatCount, formatUsdRate } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { DryRun, DryRunAnswer } from "@/lib/domain/intents/change";
import { askDryRun } from "@/lib/queries/intents";

type Props = { question: DryRun; isDisabled?: boolean };

const SHOWN = 12;

/** Shows exactly what would be sent and what would be refused. Nothing is written. */
export function DryRunButton({ question, isDisabled = false }: Props) {
  const [isPending, start] = useTransition();
  const [answer, setAnswer] = useState<DryRunAnswer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const ask = () =>
    start(async () => {
      setProblem(null);
      try {
        setAnswer(await askDryRun(question));
      } catch (error) {
        setAnswer(null);
        setProblem(error instanceof Error ? error.message : "The server did not answer.");
      }
    });
  return (
    <div className="dry-run">
      <Button size="small" look="ghost" icon={FlaskConical} isPending={isPending} disabled={isDisabled} onClick={ask}>
        Dry run
      </Button>
      <span className="muted">shows what would be sent; nothing is written</span>
      <div role="status" className="min-w-0 basis-full empty:hidden">
        {problem && <Note tone="crit">{problem}</Note>}
        {answer && <Outcome answer={answer} />}
      </div>
    </div>
  );
}

function Outcome({ answer }: { answer: DryRunAnswer }) {
  const { outcomes, calls } = answer;
  const going = outcomes.filter(({ outcome }) => outcome === "send" || outcome === "approval");
  const left = outcomes.filter(({ outcome }) => outcome === "refused" || outcome === "open");
  const waits = going.filter(({ outcome }) => outcome === "approval");
  return (
    <div className="grid min-w-0 gap-2">
      <Note tone={going.length === 0 ? "warn" : "info"}>
        <b>
          {going.length === 0
            ? "Nothing would be sent."
            : `${formatCount(calls.length, "request")} would be sent, in ${formatDuration(answer.seconds * 1000)} at Lambda’s limit.`}
        </b>{" "}
        {going.length > 0 && `Saves ${formatUsdRate(answer.microsPerHour)}.`}
        {waits.length > 0 &&
          ` ${waits.length === going.length ? "First" : `For ${waits.length} of them, first`} a second person must agree.`}
        {left.map(({ instanceId, name, words }) => (
          <span key={instanceId} className="block">
            {name}: {words}
          </span>
        ))}
      </Note>
      {calls.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className="dry-run-calls" tabIndex={0}>
          {[
            ...calls
              .slice(0, SHOWN)
              .map(({ method, path, body }) => `${method} ${path}${body ? ` ${JSON.stringify(body)}` : ""}`),
            ...(calls.length > SHOWN ? [`… and ${calls.length - SHOWN} more of the same two kinds`] : []),
          ].join("\n")}
        </pre>
      )}
    </div>
  );
}
