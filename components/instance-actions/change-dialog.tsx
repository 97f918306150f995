"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Power, RotateCw, UserCheck } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { Refusal } from "@/components/settings/refusal";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { useClockCorrection } from "@/components/ui/clock";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { ErrorState, Loading } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { formatDuration } from "@/lib/domain/format-time";
import type { ChangeEvidence, RequestTerminate } from "@/lib/domain/intents/change";
import { unticked } from "@/lib/domain/intents/checklist";
import type { Failure, Result } from "@/lib/errors";
import { evidenceQuery } from "@/lib/queries/intents";
import { ChecklistBoxes } from "./checklist-boxes";
import { DryRunButton } from "./dry-run";
import { Ending, Restarting } from "./evidence-facts";
import { About, Blocked, Concerns, UseLine } from "./evidence-notes";

export type ChangeAction = (input: RequestTerminate) => Promise<Result<{ id: string }>>;

const WORDS = {
  terminate: { verb: "Terminate", keep: "Keep it", done: "Termination asked for", icon: Power },
  restart: { verb: "Restart", keep: "Leave it running", done: "Restart asked for", icon: RotateCw },
} as const;

type Asked = { instanceId: string; name: string; kind: "terminate" | "restart"; act: ChangeAction };
type Props = Asked & {
  isOpenAtFirst?: boolean;
  /** Where to go once it is asked for. */
  next?: Route | undefined;
};

/** Ends or restarts one machine: what runs, what is lost, what goes on billing, what it saves, and its name typed. */
export function ChangeDialog({ instanceId, name, kind, act, isOpenAtFirst = false, next }: Props) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  // What hides the page behind a dialog is not there while the page comes to life.
  useEffect(() => {
    if (isOpenAtFirst) setOpen(true);
  }, [isOpenAtFirst]);
  const { verb, icon } = WORDS[kind];
  return (
    <>
      <Button look={kind === "terminate" ? "danger" : "secondary"} icon={icon} onClick={() => setOpen(true)}>
        {verb}…
      </Button>
      {isOpen && (
        <Opened
          {...{ instanceId, name, kind, act }}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            if (next) router.push(next);
          }}
        />
      )}
    </>
  );
}

type Opening = Asked & { onClose: () => void; onDone: () => void };

function Opened({ instanceId, name, kind, act, onClose, onDone }: Opening) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(evidenceQuery({ instanceId, kind }));
  useClockCorrection(data?.now);
  // One opening of the dialog is one request, however often it is pressed.
  const [intentId] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [accepted, setAccepted] = useState<string[]>([]);
  const [ticked, setTicked] = useState<string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isPending, start] = useTransition();
  const { verb, keep, done, icon } = WORDS[kind];
  const asks = data !== undefined && data.approval !== null;

  const isReady =
    data !== undefined &&
    data.denied === null &&
    !data.frozen &&
    data.open === null &&
    typed.trim() === data.confirmation.text &&
    data.concerns.every(({ key }) => accepted.includes(key)) &&
    unticked(data.checklist.items, ticked).length === 0;

  const submit = () =>
    start(async () => {
      if (!data) return;
      setFailure(null);
      const { planHash, seen } = data;
      const result = await act({ intentId, instanceId, planHash, seen, confirmation: typed, accepted, ticked, reason });
      if (!result.ok) {
        setFailure(result.error);
        void refetch();
        return;
      }
      if (asks) toast("ok", "A second person is asked", `${name}: nothing is sent until somebody agrees.`);
      else toast("ok", done, `${name}: the request is on its way to Lambda.`);
      await Promise.all([
        client.invalidateQueries({ queryKey: ["fleet"] }),
        client.invalidateQueries({ queryKey: ["intents"] }),
      ]);
      onDone();
    });

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${verb} ${name}?`}
      about={data && <About data={data} />}
      remark="Written to the audit trail with this evidence"
      actions={
        <>
          <DialogClose>{keep}</DialogClose>
          <Button
            look={kind === "terminate" ? "danger-solid" : "primary"}
            icon={asks ? UserCheck : icon}
            disabled={!isReady}
            isPending={isPending}
            onClick={submit}
          >
            {asks ? "Ask a second person" : verb}
          </Button>
        </>
      }
    >
      {error && !data && (
        <ErrorState
          title="What runs on it could not be read"
          text={`${error.message} Nothing was sent.`}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <Loading rows={6} />}
      {data && (
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
          <Blocked data={data} kind={kind} />
          <Concerns data={data} />
          <UseLine data={data} />
          {kind === "terminate" ? <Ending data={data} /> : <Restarting data={data} />}
          {data.approval && <Approval data={data} />}
          {data.denied === null && data.open === null && !data.frozen && (
            <>
              <ChecklistBoxes list={data.checklist} ticked={ticked} onChange={setTicked} />
              {data.concerns.length > 0 && (
                <Accepting data={data} verb={verb} accepted={accepted} onChange={setAccepted} />
              )}
              <TextField
                label={`Type ${data.confirmation.text} to confirm`}
                hint={
                  data.confirmation.isName
                    ? undefined
                    : "The last six characters of its id: its name is missing or not its own alone."
                }
                className="mono"
                spellCheck={false}
                autoCapitalize="off"
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
              {kind === "terminate" && (
                <DryRunButton
                  question={{
                    machines: [{ instanceId, planHash: data.planHash, seen: data.seen, accepted }],
                    ticked,
                  }}
                />
              )}
            </>
          )}
          <Refusal failure={failure} fields={["confirmation"]} />
        </div>
      )}
    </Dialog>
  );
}

function Approval({ data }: { data: ChangeEvidence }) {
  return (
    <Note tone="info" icon={UserCheck}>
      <b>{data.approval?.reason}</b> What you ask for waits up to {formatDuration(data.approval?.expiresMs ?? 0)} for
      somebody else to agree on Approvals; nothing is sent before.
    </Note>
  );
}

type AcceptingProps = {
  data: ChangeEvidence;
  verb: string;
  accepted: readonly string[];
  onChange: (accepted: string[]) => void;
};

/** The second confirmation: every reason against it, said and ticked. */
function Accepting({ data, verb, accepted, onChange }: AcceptingProps) {
  return (
    <fieldset className="check-boxes">
      <legend>I know, and go on</legend>
      {data.concerns.map((concern) => (
        <Checkbox
          key={concern.key}
          label={`${verb} although: ${concern.title.charAt(0).toLowerCase()}${concern.title.slice(1).replace(/\.$/, "")}`}
          checked={accepted.includes(concern.key)}
          onChange={(event) =>
            onChange(event.target.checked ? [...accepted, concern.key] : accepted.filter((key) => key !== concern.key))
          }
        />
      ))}
    </fieldset>
  );
}
