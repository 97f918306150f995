import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { SeverityLabel } from "@/components/ui/status";
import { ClockTime, Instant } from "@/components/ui/time";
import type { Incident, IncidentLine, XidInfo } from "@/lib/domain/events/view";
import { formatCount } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import { XidCode } from "./xid-code";

type Props = {
  incident: Incident;
  codes: Readonly<Record<string, XidInfo>>;
  /** On a page of many machines. */
  hasMachine?: boolean;
};

const SEEN_BY: Record<IncidentLine["seenBy"], string> = {
  kernel: "kernel log",
  gauge: "DCGM gauge",
  count: "DCGM count",
};

const AT_IS: Record<IncidentLine["atIs"], string | null> = {
  written: null,
  assumed_utc: "the line has no time zone; taken as UTC",
  received: "the line tells no instant; this is when it came here",
};

/** One incident: what happened when and where, whose it is, what to do; the lines as they came, folded. */
export function IncidentRow({ incident, codes, hasMachine = false }: Props) {
  const { severity, cards, lines, moreLines } = incident;
  const kernelLines = incident.codes.reduce((sum, code) => sum + code.lines, 0);
  const sources = [...new Set(incident.codes.flatMap((code) => code.seenBy))].map((seenBy) => SEEN_BY[seenBy]);
  return (
    <li className="incident">
      <div className="incident-when">
        <Instant at={incident.from} seconds />
        {incident.to - incident.from >= 1_000 && <span>over {formatDuration(incident.to - incident.from)}</span>}
      </div>
      <div className="incident-what">
        <p className="incident-head">
          <SeverityLabel of={severity}>
            <b>{incident.headline}</b>
          </SeverityLabel>
          <span className="incident-codes">
            Xid{" "}
            {incident.codes.map(({ code, lines: told }) => (
              <span key={code}>
                <XidCode code={code} info={codes[code]} />
                {told > 1 && <span className="muted"> ×{told}</span>}
              </span>
            ))}
          </span>
        </p>
        <p className="muted">
          {hasMachine && <Machine incident={incident} />}
          {cards
            .map(({ label, busId }) =>
              busId && label.startsWith("GPU ") && !label.includes(busId) ? `${label} (${busId})` : label,
            )
            .join(", ")}
          {" · "}
          {kernelLines > 0 ? formatCount(kernelLines, "line") : "not counted"}
          {" · "}
          {sources.join(" and ")}
          {lines.some((line) => line.isSinceBefore) && " · came at some time before the first look"}
          {lines[0] && lines[0].atIs !== "written" && ` · ${AT_IS[lines[0].atIs]}`}
        </p>
        <p className="incident-steps">
          <b>{incident.action}.</b> {incident.steps}
        </p>
        <p className="muted">
          Lies with: {incident.owner}
          {incident.why && <> · {incident.why}</>}
        </p>
        <details className="incident-lines">
          <summary className="link">
            {lines.length + moreLines === 1 ? "The line as it came" : `${lines.length + moreLines} events as they came`}
          </summary>
          <ol>
            {lines.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of an incident only ever grow at the end
              <li key={i}>
                <Line line={line} />
              </li>
            ))}
          </ol>
          {moreLines > 0 && <p className="muted">and {formatCount(moreLines, "more line")}</p>}
        </details>
      </div>
    </li>
  );
}

function Machine({ incident: { instance, host } }: { incident: Incident }) {
  return (
    <>
      {instance ? (
        <Link className="link" href={`/fleet/${instance.id}` as Route}>
          {instance.name}
        </Link>
      ) : (
        <>unassigned sender {host ?? ""}</>
      )}
      {" · "}
    </>
  );
}

function Line({ line }: { line: IncidentLine }) {
  const about = [
    SEEN_BY[line.seenBy],
    line.from && `from ${line.from}`,
    line.isSinceBefore && "since before the first look",
    AT_IS[line.atIs],
  ].filter(Boolean);
  return (
    <>
      <span className="muted">
        <ClockTime at={line.at} /> {about.join(", ")}
      </span>
      <code>{line.text || `Xid ${line.code}`}</code>
    </>
  );
}
