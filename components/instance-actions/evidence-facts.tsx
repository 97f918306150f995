import {
  CalendarClock,
  CircleDollarSign,
  Cpu,
  HardDrive,
  type LucideIcon,
  Trash2,
  TriangleAlert,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { Age, Instant } from "@/components/ui/time";
import { formatCount, formatGib, formatStorage, formatUsd, formatUsdRate } from "@/lib/domain/format";
import { formatDay } from "@/lib/domain/format-time";
import type { ChangeEvidence } from "@/lib/domain/intents/change";

type FactProps = { icon: LucideIcon; tone: string; title: ReactNode; amount?: ReactNode; children: ReactNode };

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

type Props = { data: ChangeEvidence };

/** What an end erases, keeps and saves, and whose it is. */
export function Ending({ data }: Props) {
  const { lost, filesystems, zone } = data;
  return (
    <ul>
      <LastSeen data={data} />
      <Whose data={data} />
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
              ({ name, bytesUsed, others }) =>
                `File system ${name}${bytesUsed === null ? "" : `, ${formatStorage(BigInt(bytesUsed))}`}, ${
                  others > 0 ? `used by ${formatCount(others, "other instance")} too` : "used by no other instance"
                }`,
            )
            .join("; ")}
        </Fact>
      ) : (
        <Fact icon={HardDrive} tone="text-text-3" title="No file system is attached">
          Nothing of this instance is kept.
        </Fact>
      )}
      {data.savedDayMicros !== null && (
        <Fact
          icon={CircleDollarSign}
          tone="text-text-2"
          title="Saved"
          amount={
            <>
              <b className="block">{formatUsd(data.savedDayMicros)}/day</b>
              <span className="muted">
                {formatUsd(data.savedMicros)} to {formatDay(data.monthEnd - 1, zone)}
              </span>
            </>
          }
        >
          {formatUsdRate(data.priceMicros)}. Billing stops when Lambda accepts the request, not when the machine is
          gone.
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

function LastSeen({ data: { use } }: Props) {
  const running = use.processes?.[0];
  const held = (
    <>
      <b className="block">{use.memoryUsedMib === null ? "not known" : formatGib(use.memoryUsedMib)}</b>
      <span className="muted">VRAM held</span>
    </>
  );
  if (running)
    return (
      <Fact icon={Cpu} tone="text-text-2" title="Runs on it" amount={held}>
        {kindsOf(use.processes ?? []).join(", ")}
        {use.processesAt !== null && (
          <>
            , seen <Age at={use.processesAt} />
          </>
        )}
        .
      </Fact>
    );
  const last = use.lastProcess;
  return (
    <Fact icon={Cpu} tone="text-text-3" title="Nothing is seen to run" amount={held}>
      {last ? (
        <>
          Last: {last.name ?? "a process"}
          {last.user !== null && ` of ${last.user}`}
          {last.usedMib !== null && `, ${formatGib(last.usedMib)}`}, <Age at={last.at} />.
        </>
      ) : use.processes === null ? (
        "Nobody looked at its processes."
      ) : (
        "No process was ever seen on it."
      )}
    </Fact>
  );
}

type Process = NonNullable<ChangeEvidence["use"]["processes"]>[number];

/** `python3 of ubuntu (8)`: each kind once, the three that are most. */
function kindsOf(processes: readonly Process[]): string[] {
  const counts = new Map<string, number>();
  for (const { name, user } of processes) {
    const kind = `${name ?? "a process"}${user === null ? "" : ` of ${user}`}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort(([, a], [, b]) => b - a).map(([kind, n]) => (n > 1 ? `${kind} (${n})` : kind));
  return kinds.length > 3 ? [...kinds.slice(0, 3), `${kinds.length - 3} more`] : kinds;
}

function Whose({ data: { whose, leaseUntil } }: Props) {
  const { owner, team, project, launchedBy, launchedAt, purpose } = whose;
  const belongs = [owner, team, project].filter(Boolean).join(", ");
  return (
    <>
      <Fact icon={UserRound} tone="text-text-2" title={purpose ? `For: ${purpose}` : "Nobody said what it is for"}>
        {launchedBy === null ? "Nobody knows who launched it" : `Launched by ${launchedBy}`}
        {launchedAt !== null && (
          <>
            , <Age at={launchedAt} />
          </>
        )}
        . {belongs === "" ? "No owner, team or project is named." : `Belongs to ${belongs}.`}
      </Fact>
      {leaseUntil !== null && (
        <Fact icon={CalendarClock} tone="text-text-2" title="Lease">
          Until <Instant at={leaseUntil} />.
        </Fact>
      )}
    </>
  );
}

/** What a restart interrupts. */
export function Restarting({ data }: Props) {
  return (
    <ul>
      <LastSeen data={data} />
      <Whose data={data} />
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
