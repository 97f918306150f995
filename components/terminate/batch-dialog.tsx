"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ListChecks, Power, UserCheck } from "lucide-react";
import type { Route } from "next";
import { useState, useTransition } from "react";
import { ChecklistBoxes } from "@/components/instance-actions/checklist-boxes";
import { DryRunButton } from "@/components/instance-actions/dry-run";
import { Refusal } from "@/components/settings/refusal";
import { Button, ButtonLink } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { useClockCorrection } from "@/components/ui/clock";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { ErrorState, Loading } from "@/components/ui/states";
import { Age } from "@/components/ui/time";
import { formatCount, formatUsd } from "@/lib/domain/format";
import type { BatchAnswer, ChangeEvidence, Concern, EvidencesAnswer, RequestBatch } from "@/lib/domain/intents/change";
import { type ChecklistItem, unticked } from "@/lib/domain/intents/checklist";
import { batchConfirmation, concernOfMany } from "@/lib/domain/intents/many";
import type { Failure, Result } from "@/lib/errors";
import { evidencesQuery } from "@/lib/queries/intents";
import { BatchOutcomes } from "./batch-outcomes";
import { MachineEvidence } from "./machine-evidence";

export type BatchAction = (input: RequestBatch) => Promise<Result<BatchAnswer>>;

type Props = { instanceIds: readonly string[]; act: BatchAction; onClose: () => void; onDone: () => void };

/** Ends several machines: each with its own evidence, each reason against it said, and how many they are typed. */
export function BatchDialog({ instanceIds, act, onClose, onDone }: Props) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(evidencesQuery(instanceIds));
  useClockCorrection(data?.now);
  // One opening of the dialog is one batch, however often it is pressed.
  const [batchId] = useState(() => crypto.randomUUID());
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [accepted, setAccepted] = useState<Concern["key"][]>([]);
  const [ticked, setTicked] = useState<string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [answer, setAnswer] = useState<BatchAnswer | null>(null);
  const [isPending, start] = useTransition();

  const chosen =
    data?.rows.filter((row) => !left.has(row.instanceId) && row.open === null && row.denied === null) ?? [];
  const keys = concernKeys(chosen);
  const items = itemsOf(chosen);
  const asks = chosen.filter(({ approval }) => approval !== null);
  const machines = chosen.map(({ instanceId, planHash, seen, concerns }) => ({
    instanceId,
    planHash,
    seen,
    accepted: concerns.map(({ key }) => key).filter((key) => accepted.includes(key)),
  }));
  const isReady =
    data !== undefined &&
    data.denied === null &&
    !data.frozen &&
    chosen.length > 0 &&
    typed.trim() === batchConfirmation(chosen.length) &&
    keys.every((key) => accepted.includes(key)) &&
    unticked(items, ticked).length === 0;

  const submit = () =>
    start(async () => {
      setFailure(null);
      const result = await act({ batchId, machines, confirmation: typed, ticked, reason });
      await Promise.all([
        client.invalidateQueries({ queryKey: ["fleet"] }),
        client.invalidateQueries({ queryKey: ["intents", "approval-count"] }),
      ]);
      if (result.ok) {
        setAnswer(result.data);
        onDone();
        return;
      }
      setFailure(result.error);
      void refetch();
    });

  if (answer)
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="What became of each"
        actions={
          <>
            <DialogClose>Close</DialogClose>
            <ButtonLink look="primary" icon={ListChecks} href={`/fleet/batches/${answer.id}` as Route}>
              Watch the queue
            </ButtonLink>
          </>
        }
      >
        <BatchOutcomes outcomes={answer.outcomes} />
      </Dialog>
    );

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Terminate ${formatCount(data ? chosen.length : instanceIds.length, "instance")}?`}
      about={data && <Together rows={chosen} now={data.now} />}
      remark="Written to the audit trail, one entry each"
      actions={
        <>
          <DialogClose>Keep them</DialogClose>
          <Button
            look="danger-solid"
            icon={asks.length > 0 ? UserCheck : Power}
            disabled={!isReady}
            isPending={isPending}
            onClick={submit}
          >
            {asks.length > 0 && asks.length === chosen.length ? "Ask a second person" : "Terminate"}
          </Button>
        </>
      }
    >
      {error && !data && (
        <ErrorState
          title="What runs on them could not be read"
          text={`${error.message} Nothing was sent.`}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Loading rows={6} rowHeight={44} />}
      {data && (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          <Blocked data={data} />
          <LeftOut data={data} />
          <ul className="machine-evidences">
            {chosen.map((row) => (
              <MachineEvidence
                key={row.instanceId}
                data={row}
                action={
                  <Button
                    size="small"
                    look="ghost"
                    aria-label={`Leave out ${row.name}`}
                    onClick={() => setLeft(new Set([...left, row.instanceId]))}
                  >
                    Leave out
                  </Button>
                }
              />
            ))}
          </ul>
          {chosen.length === 0 && <Note>None of them can be ended now.</Note>}
          {asks.length > 0 && (
            <Note tone="info" icon={UserCheck}>
              <b>{asks[0]?.approval?.reason}</b>{" "}
              {asks.length === chosen.length
                ? "Nothing is sent before somebody else agrees on Approvals."
                : `That holds for ${asks.length} of them; the others are sent at once.`}
            </Note>
          )}
          {data.denied === null && !data.frozen && chosen.length > 0 && (
            <>
              <ChecklistBoxes
                list={{ name: "asked for by their teams or workloads", items }}
                ticked={ticked}
                onChange={setTicked}
              />
              {keys.length > 0 && (
                <fieldset className="check-boxes">
                  <legend>I know, and go on</legend>
                  {keys.map((key) => {
                    const those = chosen.filter((row) => row.concerns.some((one) => one.key === key));
                    return (
                      <Checkbox
                        key={key}
                        label={`Terminate although ${concernOfMany(key, those.length)}`}
                        hint={those.map(({ name }) => name).join(", ")}
                        checked={accepted.includes(key)}
                        onChange={(event) =>
                          setAccepted(event.target.checked ? [...accepted, key] : accepted.filter((one) => one !== key))
                        }
                      />
                    );
                  })}
                </fieldset>
              )}
              <TextField
                label={`Type ${batchConfirmation(chosen.length)}, the number of instances, to confirm`}
                className="mono"
                inputMode="numeric"
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                error={failure?.fields.confirmation}
              />
              <TextField
                label="Reason (optional)"
                value={reason}
                maxLength={500}
                onChange={(event) => setReason(event.target.value)}
              />
              <DryRunButton question={{ machines, ticked }} />
            </>
          )}
          <Refusal failure={failure} fields={["confirmation"]} />
        </div>
      )}
    </Dialog>
  );
}

function Together({ rows, now }: { rows: readonly ChangeEvidence[]; now: number }) {
  const saved = rows.reduce((sum, { savedDayMicros }) => sum + BigInt(savedDayMicros ?? "0"), 0n);
  return (
    <>
      Saves {formatUsd(saved)} a day together. Their local disks are erased; file systems stay and go on billing. Read{" "}
      <Age at={now} />.
    </>
  );
}

function Blocked({ data }: { data: EvidencesAnswer }) {
  return (
    <>
      {data.denied !== null && <Note tone="warn">{data.denied}</Note>}
      {data.frozen && (
        <Note tone="warn">
          <b>Lambda refuses our key.</b> Nothing can be sent from here until it is accepted again. In a hurry, use
          Lambda’s console.
        </Note>
      )}
    </>
  );
}

/** Chosen, and not to be ended: each with why. */
function LeftOut({ data }: { data: EvidencesAnswer }) {
  const lines = [
    ...data.refused.map(({ instanceId, words }) => [instanceId, words] as const),
    ...data.rows.flatMap(({ instanceId, name, open, denied }) =>
      open
        ? [[instanceId, `${name}: ${open.by} asked for it already.`] as const]
        : denied && data.denied === null
          ? [[instanceId, `${name}: ${denied}`] as const]
          : [],
    ),
  ];
  if (lines.length === 0) return null;
  return (
    <Note tone="warn">
      <b>{formatCount(lines.length, "instance")} of those you chose cannot be ended.</b>
      {lines.map(([id, words]) => (
        <span key={id} className="block">
          {words}
        </span>
      ))}
    </Note>
  );
}

function concernKeys(rows: readonly ChangeEvidence[]): Concern["key"][] {
  return [...new Set(rows.flatMap(({ concerns }) => concerns.map(({ key }) => key)))];
}

/** Every point that one of them is asked for, once; it must be ticked where one of them says so. */
function itemsOf(rows: readonly ChangeEvidence[]): ChecklistItem[] {
  const items = new Map<string, ChecklistItem>();
  for (const { text, isRequired } of rows.flatMap(({ checklist }) => checklist.items))
    items.set(text, { text, isRequired: isRequired || (items.get(text)?.isRequired ?? false) });
  return [...items.values()];
}
