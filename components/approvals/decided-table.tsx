import type { Route } from "next";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import type { DecidedAct } from "@/lib/domain/intents/waiting";

const DECISIONS: Record<DecidedAct["decision"], { word: string; tone: "ok" | "warn" | "crit" | "mute" }> = {
  approved: { word: "Approved", tone: "ok" },
  glass_broken: { word: "Glass broken", tone: "crit" },
  refused: { word: "Refused", tone: "warn" },
  expired: { word: "Nobody answered", tone: "mute" },
  taken_back: { word: "Taken back", tone: "mute" },
};

const KINDS = { launch: "Launch", terminate: "Terminate", restart: "Restart" } as const;

/** What second people said within the last week. */
export function DecidedTable({ rows }: { rows: readonly DecidedAct[] }) {
  return (
    <Panel span={12} title="Decided" sub="the last 7 days" isFlush>
      <Table label="Decided requests">
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Asked by</th>
            <th scope="col">Answer</th>
            <th scope="col">By</th>
            <th scope="col">Reason</th>
            <th scope="col" className="num">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                {KINDS[row.kind]}{" "}
                <Link
                  className="name-link"
                  href={(row.instanceId === null ? `/launch/${row.id}` : `/fleet/${row.instanceId}`) as Route}
                >
                  {row.name}
                </Link>
              </th>
              <td>{row.by}</td>
              <td>
                <Badge tone={DECISIONS[row.decision].tone}>{DECISIONS[row.decision].word}</Badge>
              </td>
              <td>
                {row.decidedBy ?? (
                  <span className="muted">{row.decision === "glass_broken" ? "nobody else" : "none"}</span>
                )}
              </td>
              <td className="text-text-2">{row.words ?? <span className="muted">none</span>}</td>
              <td className="num">
                <Age at={row.decidedAt} isBare />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
