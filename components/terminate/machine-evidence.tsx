import type { Route } from "next";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { formatGib, formatPercent, formatUsdRate } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { ChangeEvidence, Concern } from "@/lib/domain/intents/change";

const SHORT: Record<Concern["key"], (data: ChangeEvidence) => string> = {
  busy: () => "working",
  silent: () => "not heard, so busy",
  protected: () => "protected",
  not_ours: () => "not launched here",
  reserved: () => "reserved",
  someone_elses: ({ whose }) => `of ${whose.owner}`,
};

type Props = {
  data: ChangeEvidence;
  /** At the right: what can be done with the row. */
  action?: ReactNode;
};

/** One machine of several in two lines: how busy, who, what speaks against it, what it costs. */
export function MachineEvidence({ data, action }: Props) {
  const { use, whose } = data;
  const running = use.processes?.[0] ?? null;
  const who = running ?? use.lastProcess;
  return (
    <li className="machine-evidence">
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link className="name-link" href={`/fleet/${data.instanceId}` as Route} target="_blank">
            {data.name}
          </Link>
          {data.concerns.map(({ key }) => (
            <Badge key={key} tone={key === "busy" ? "crit" : "warn"}>
              {SHORT[key](data)}
            </Badge>
          ))}
          {data.open && <Badge tone="info">asked for by {data.open.by}</Badge>}
        </span>
        <span className="block text-12 text-text-2">
          {use.hour.meanPct === null
            ? "Not heard in the last hour"
            : `Last hour ${formatPercent(use.hour.meanPct)}, peak ${formatPercent(use.hour.peakPct)}`}
          {use.day.meanPct !== null && `; last 24 h ${formatPercent(use.day.meanPct)}`}
          {use.idleSince !== null && `; idle for ${formatDuration(data.now - use.idleSince)}`}.{" "}
          {who === null
            ? "No process was seen"
            : `${running ? "Runs" : "Last ran"} ${who.name ?? "a process"}${who.user === null ? "" : ` of ${who.user}`}`}
          , {use.memoryUsedMib === null ? "VRAM not known" : `${formatGib(use.memoryUsedMib)} held`}.
          {whose.purpose && ` For: ${whose.purpose}.`}
          {data.filesystems.length > 0 &&
            ` ${data.filesystems.map(({ name }) => name).join(", ")} ${data.filesystems.length === 1 ? "stays" : "stay"}.`}
        </span>
      </span>
      <span className="text-right">
        <b className="block">{data.savedDayMicros === null ? "not billed" : formatUsdRate(data.priceMicros)}</b>
        {action}
      </span>
    </li>
  );
}
