"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleDollarSign, HardDrive, Power, RotateCw, Trash2, TriangleAlert } from "lucide-react";
import { type ReactNode, useState, useTransition } from "react";
import { Sparkline } from "@/components/charts/sparkline";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { useClockCorrection } from "@/components/ui/clock";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { ErrorState, Loading } from "@/components/ui/states";
import { Age, Lasting } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatGib, formatPercent, formatStorage, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import type { ChangeEvidence } from "@/lib/domain/intents/change";
import type { Result } from "@/lib/errors";
import { evidenceQuery } from "@/lib/queries/intents";

type Request = {
  intentId: string;
  instanceId: string;
  planHash: string;
  confirmation: string;
  accepted: string[];
  reason: string;
};
export type ChangeAction = (input: Request) => Promise<Result<{ id: string }>>;

const WORDS = {
  terminate: { verb: "Terminate", keep: "Keep it", done: "Termination asked for", icon: Power },
  restart: { verb: "Restart", keep: "Leave it running", done: "Restart asked for", icon: RotateCw },
} as const;

type Props = { instanceId: string; name: string; kind: "terminate" | "restart"; act: ChangeAction };

/** Ends or restarts one machine: what runs, what is lost, what goes on billing, what it saves, and its name typed. */
export function ChangeDialog({ instanceId, name, kind, act }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { verb, icon } = WORDS[kind];
  return (
    <>
      <Button look={kind === "terminate" ? "danger" : "secondary"} icon={icon} onClick={() => setOpen(true)}>
        {verb}…
      </Button>
      {isOpen && <Opened {...{ instanceId, name, kind, act }} onClose={() => setOpen(false)} />}
    </>
  );
}

function Opened({ instanceId, name, kind, act, onClose }: Props & { onClose: () => void }) {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(evidenceQuery({ instanceId, kind }));
  useClockCorrection(data?.now);
  // One opening of the dialog is one request, however often it is pressed.
  const [intentId] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [accepted, setAccepted] = useState<string[]>([]);
  const [refusal, setRefusal] = useState<{ message: string; typed: string | null } | null>(null);
  const [isPending, start] = useTransition();
  const { verb, keep, done, icon } = WORDS[kind];

  const isReady =
    data !== undefined &&
    data.denied === null &&
    !data.frozen &&
    data.open === null &&
    typed.trim() === data.confirmation.text &&
    data.concerns.every(({ key }) => accepted.includes(key));

  const submit = () =>
    start(async () => {
      if (!data) return;
      setRefusal(null);
      const { planHash } = data;
      const result = await act({ intentId, instanceId, planHash, confirmation: typed, accepted, reason });
      if (!result.ok) {
        setRefusal({ message: result.error.message, typed: result.error.fields.confirmation ?? null });
        void refetch();
        return;
      }
      toast("ok", done, `${name}: the request is on its way to Lambda.`);
      await client.invalidateQueries({ queryKey: ["fleet"] });
      onClose();
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
            icon={icon}
            disabled={!isReady}
            isPending={isPending}
            onClick={submit}
          >
            {verb}
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
          {data.concerns.map((concern) => (
            <Note key={concern.key} tone={concern.key === "busy" ? "crit" : "warn"}>
              <b>{concern.title}</b> {concern.detail}
              {concern.key === "busy" && <Use data={data} />}
            </Note>
          ))}
          <UseLine data={data} />
          {kind === "terminate" ? <Ending data={data} /> : <Restarting data={data} />}
          {data.denied === null && data.open === null && !data.frozen && (
            <>
              {data.concerns.map((concern) => (
                <Checkbox
                  key={concern.key}
                  label={`${verb} although: ${concern.title.charAt(0).toLowerCase()}${concern.title.slice(1).replace(/\.$/, "")}`}
                  checked={accepted.includes(concern.key)}
                  onChange={(event) =>
                    setAccepted(
                      event.target.checked ? [...accepted, concern.key] : accepted.filter((key) => key !== concern.key),
                    )
                  }
                />
              ))}
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
                error={refusal?.typed}
              />
              <TextField
                label="Reason (optional)"
                value={reason}
                maxLength={500}
                onChange={(event) => setReason(event.target.value)}
              />
            </>
          )}
          <div role="alert">{refusal && !refusal.typed && <Note tone="crit">{refusal.message}</Note>}</div>
        </div>
      )}
    </Dialog>
  );
}

function About({ data }: { data: ChangeEvidence }) {
  return (
    <>
      {data.gpus > 0 && `${data.gpus} × `}
      {data.typeName ?? "unknown type"} in {data.region}.{" "}
      {data.listedAt !== null && (
        <>
          Listed by Lambda <Age at={data.listedAt} />
        </>
      )}
      {data.heardAt !== null && (
        <>
          , heard <Age at={data.heardAt} />
        </>
      )}
      .
    </>
  );
}

function Blocked({ data, kind }: { data: ChangeEvidence; kind: "terminate" | "restart" }) {
  return (
    <>
      {data.denied !== null && <Note tone="warn">{data.denied}</Note>}
      {data.frozen && (
        <Note tone="warn">
          <b>Lambda refuses our key.</b> Nothing can be sent from here until it is accepted again. In a hurry, use
          Lambda’s console.
        </Note>
      )}
      {data.open && (
        <Note tone="info">
          <b>{data.open.by} asked for it</b> <Age at={data.open.at} />
          {data.open.acceptedAt === null ? "; Lambda has not said yes yet." : "; Lambda accepted it."}
          {data.open.error && ` ${data.open.error}`}
        </Note>
      )}
      {kind === "terminate" && data.lately >= 5 && (
        <Note tone="warn">
          <b>You ended {data.lately} instances within the last hour.</b> Look twice.
        </Note>
      )}
    </>
  );
}

function Use({ data: { use } }: { data: ChangeEvidence }) {
  const names = use.processes
    ?.slice(0, 3)
    .map(({ name, pid, user }) => `${name ?? "a process"} (pid ${pid}${user === null ? "" : `, of ${user}`})`);
  return (
    <>
      {" "}
      Utilisation {formatPercent(use.utilizationPct)}, {formatGib(use.memoryUsedMib)} of VRAM in use
      {names && names.length > 0 && ` by ${names.join(", ")}`}.
    </>
  );
}

function UseLine({ data: { use } }: { data: ChangeEvidence }) {
  if (!use.line.some((value) => value !== null)) return null;
  return (
    <div>
      <Sparkline
        values={use.line}
        width={520}
        height={36}
        isFluid
        tone="accent"
        label="Utilisation over the last 2 h 30 min"
      />
      <p className="muted flex justify-between text-11">
        <span>utilisation, last 2 h 30 min</span>
        <span>
          {use.idleSince !== null ? (
            <>
              idle for <Lasting from={use.idleSince} to={null} />
            </>
          ) : (
            `peak ${formatPercent(use.peakPct)}`
          )}
        </span>
      </p>
    </div>
  );
}

type FactProps = { icon: typeof Power; tone: string; title: string; amount?: ReactNode; children: ReactNode };

function Fact({ icon: Icon, tone, title, amount, children }: FactProps) {
  return (
    <li className="change-fact">
      <Icon size={16} className={tone} aria-hidden="true" />
      <span className="min-w-0">
        <b className="block">{title}</b>
        <span className="text-12 text-text-2">{children}</span>
      </span>
      <span className="text-right">{amount}</span>
    </li>
  );
}

function Ending({ data }: { data: ChangeEvidence }) {
  const { lost, filesystems, zone } = data;
  return (
    <ul>
      <Fact icon={Trash2} tone="text-crit" title="Lost for good">
        Everything on the local disk
        {lost.storageGib !== null && ` (${formatStorage(BigInt(lost.storageGib) * 1024n ** 3n)})`}
        {lost.ip !== null && `, the address ${lost.ip}`}, and whatever runs on it.
      </Fact>
      {filesystems.length > 0 ? (
        <Fact
          icon={HardDrive}
          tone="text-ok"
          title="Kept, and keeps billing"
          amount={filesystems.map((one) => (
            <b key={one.name} className="block">
              {one.monthMicros === null ? "price unknown" : `${formatUsd(one.monthMicros)}/month`}
            </b>
          ))}
        >
          {filesystems
            .map(
              ({ name, bytesUsed }) =>
                `File system ${name}${bytesUsed === null ? "" : `, ${formatStorage(BigInt(bytesUsed))}`}`,
            )
            .join("; ")}
        </Fact>
      ) : (
        <Fact icon={HardDrive} tone="text-text-3" title="No file system is attached">
          Nothing of this instance is kept.
        </Fact>
      )}
      {data.savedMicros !== null && (
        <Fact
          icon={CircleDollarSign}
          tone="text-text-2"
          title="Saved"
          amount={
            <>
              <b className="block">{formatUsdRate(data.priceMicros)}</b>
              <span className="muted">
                {formatUsd(data.savedMicros)} to {formatDay(data.monthEnd - 1, zone)}
              </span>
            </>
          }
        >
          Billing stops when Lambda accepts the request, not when the machine is gone.
        </Fact>
      )}
      {data.comeback && data.comeback.share < 0.9 && (
        <Fact icon={TriangleAlert} tone="text-warn" title="May be hard to get back">
          {data.typeName} in {data.comeback.region} was offered for {Math.round(data.comeback.share * 100)} % of the
          last 24 h.
        </Fact>
      )}
    </ul>
  );
}

function Restarting({ data }: { data: ChangeEvidence }) {
  return (
    <ul>
      <Fact icon={Trash2} tone="text-crit" title="Interrupted">
        Everything that runs on it ends. Disk, address and file systems stay.
      </Fact>
      <Fact
        icon={CircleDollarSign}
        tone="text-text-2"
        title="Goes on billing"
        amount={<b>{formatUsdRate(data.priceMicros)}</b>}
      >
        A restart saves nothing.
      </Fact>
    </ul>
  );
}
