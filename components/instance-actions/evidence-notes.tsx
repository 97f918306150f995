import { Sparkline } from "@/components/charts/sparkline";
import { Note } from "@/components/ui/note";
import { Age, Lasting } from "@/components/ui/time";
import { formatGib, formatPercent } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { ChangeEvidence, UseOver } from "@/lib/domain/intents/change";

type Props = { data: ChangeEvidence };

/** What machine it is, and how old the knowledge of it is. */
export function About({ data }: Props) {
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

/** Why it cannot be asked for now, or asks for a second look at oneself. */
export function Blocked({ data, kind }: Props & { kind: "terminate" | "restart" }) {
  const { open } = data;
  return (
    <>
      {data.denied !== null && <Note tone="warn">{data.denied}</Note>}
      {data.frozen && (
        <Note tone="warn">
          <b>Lambda refuses our key.</b> Nothing can be sent from here until it is accepted again. In a hurry, use
          Lambda’s console.
        </Note>
      )}
      {open && (
        <Note tone="info">
          <b>{open.by} asked for it</b> <Age at={open.at} />
          {open.approvalUntil !== null
            ? "; it waits for a second person."
            : open.acceptedAt === null
              ? "; Lambda has not said yes yet."
              : "; Lambda accepted it."}
          {open.error && ` ${open.error}`}
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

/** What speaks against it, the gravest first. */
export function Concerns({ data }: Props) {
  return data.concerns.map((concern) => (
    <Note key={concern.key} tone={concern.key === "busy" ? "crit" : "warn"}>
      <b>{concern.title}</b> {concern.detail}
      {concern.key === "busy" && <Use data={data} />}
    </Note>
  ));
}

function Use({ data: { use } }: Props) {
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

/** How busy it was: the last hours as a line, the last hour and day in figures. */
export function UseLine({ data: { use } }: Props) {
  return (
    <div>
      {use.line.some((value) => value !== null) && (
        <>
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
        </>
      )}
      <dl className="use-figures">
        <UseFigure name="Last hour" over={use.hour} lastsMs={3_600_000} />
        <UseFigure name="Last 24 h" over={use.day} lastsMs={24 * 3_600_000} />
      </dl>
    </div>
  );
}

function UseFigure({ name, over, lastsMs }: { name: string; over: UseOver; lastsMs: number }) {
  const isPartial = over.heardShare < 0.95;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {over.meanPct === null ? (
          <b>not heard, so busy</b>
        ) : (
          <>
            <b>{formatPercent(over.meanPct)}</b> mean, {formatPercent(over.peakPct)} peak
            {isPartial && (
              <span className="text-warn">, heard for {formatDuration(over.heardShare * lastsMs)} of it</span>
            )}
          </>
        )}
      </dd>
    </div>
  );
}
