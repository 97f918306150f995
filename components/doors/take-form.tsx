"use client";

import { UserCheck } from "lucide-react";
import type { Route } from "next";
import { useState, useTransition } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { SeverityLabel } from "@/components/ui/status";
import { formatDuration } from "@/lib/domain/format-time";
import type { LinkedAlert } from "@/lib/domain/notify/link";
import type { Result } from "@/lib/errors";

type Props = {
  alert: LinkedAlert;
  token: string;
  now: number;
  take: (input: { token: string }) => Promise<Result<{ id: string }>>;
};

/** One button, as wide as the phone. */
export function TakeForm({ alert, token, now, take }: Props) {
  const [isTaken, setTaken] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isPending, start] = useTransition();
  const press = () =>
    start(async () => {
      const result = await take({ token }).catch(() => null);
      if (result?.ok) setTaken(true);
      else setRefusal(result?.error.message ?? "The server did not answer. Nothing is lost; press it again.");
    });
  const since = alert.firedAt === null ? null : formatDuration(now - alert.firedAt);
  return (
    <div className="grid gap-4">
      <p>
        <SeverityLabel of={alert.severity} /> {alert.resolvedAt !== null ? "resolved" : since && `firing for ${since}`}
      </p>
      {isTaken ? (
        <Note tone="ok">It is in your hands. Nothing more is sent until it resolves.</Note>
      ) : alert.resolvedAt !== null ? (
        <Note tone="ok">It has resolved; there is nothing to do.</Note>
      ) : alert.acknowledgedBy !== null ? (
        <Note tone="info">{alert.acknowledgedBy} has taken it already.</Note>
      ) : alert.isUsable ? (
        <Button look="primary" icon={UserCheck} isPending={isPending} onClick={press} className="take-button">
          Acknowledge
        </Button>
      ) : (
        <Note tone="warn">This link has run out or was used. Open the alert instead.</Note>
      )}
      {refusal && <Note tone="warn">{refusal}</Note>}
      <ButtonLink href={`/alerts/${alert.alertId}` as Route} className="justify-center">
        Open the alert
      </ButtonLink>
    </div>
  );
}
