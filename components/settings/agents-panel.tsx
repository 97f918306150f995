"use client";

import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Panel, type Span } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Status } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import type { TelemetryState } from "@/lib/domain/fleet/view";
import { formatNumber } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { AgentRow } from "@/lib/domain/sources";
import { connectionQuery, sourcesQuery } from "@/lib/queries/settings";
import { type Made, NewIngestToken } from "./new-token";
import type { Act } from "./use-act";

const SKEWED_MS = 5_000;

type Props = {
  create: Act<FormData, Made>;
  /** Why this person may not make ingest tokens; null where they may. */
  locked: string | null;
  span?: Span;
};

/** How machines reach us, and which do. */
export function AgentsPanel({ create, locked, span }: Props) {
  const { data } = useLive(sourcesQuery());
  const { data: connection } = useLive(connectionQuery());
  const expected = data.agents.filter((agent) => agent.state !== "not_expected");
  const reporting = expected.filter((agent) => agent.state === "reporting").length;
  return (
    <Panel
      title="Agents"
      sub={`${reporting} of ${expected.length} billed instances report`}
      actions={locked === null && <NewIngestToken create={create} />}
      {...(span && { span })}
    >
      <div className="grid gap-3">
        {connection.publicUrlProblem !== null && (
          <Note tone="warn">
            <b>Machines may not reach {connection.publicUrl}.</b> {connection.publicUrlProblem}
          </Note>
        )}
        <p className="text-text-2">
          Instances launched here install the agent at first boot. For any other machine, a new ingest token gives you
          one line to paste: it downloads the agent from <span className="mono break-all">{connection.publicUrl}</span>{" "}
          and starts it as a service.
        </p>
        {locked !== null && <p className="muted">{locked}</p>}
      </div>
      <div className="mt-2">
        <Table label="Agents" isBare>
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col">State</th>
              <th scope="col" className="num">
                Newest sample
              </th>
              <th scope="col">Agent</th>
              <th scope="col" className="num">
                Refused 24 h
              </th>
            </tr>
          </thead>
          <tbody>
            {data.agents.map((agent) => (
              <AgentLine key={agent.instanceId} agent={agent} />
            ))}
          </tbody>
        </Table>
        {data.agents.length === 0 && <p className="muted pt-2">No instance is there that could report.</p>}
      </div>
    </Panel>
  );
}

function AgentLine({ agent }: { agent: AgentRow }) {
  const { state, at, agentVersion, clockSkewMs, error, refused24h } = agent;
  const isSkewed = clockSkewMs !== null && Math.abs(clockSkewMs) > SKEWED_MS;
  return (
    <tr>
      <th scope="row" className="font-medium">
        <Link href={`/fleet/${agent.instanceId}` as Route}>{agent.name}</Link>
      </th>
      <td title={error ?? undefined}>
        <AgentState state={state} error={error} />
      </td>
      <td className="num">{at === null ? <Missing reason="no sample yet" /> : <Age at={at} isBare />}</td>
      <td>
        {agentVersion ?? <Missing reason="nothing was received from an agent" />}
        {isSkewed && <span className="text-warn"> clock off by {formatDuration(Math.abs(clockSkewMs))}</span>}
      </td>
      <td className="num">{refused24h === 0 ? "0" : <span className="text-warn">{formatNumber(refused24h)}</span>}</td>
    </tr>
  );
}

function AgentState({ state, error }: { state: TelemetryState; error: string | null }) {
  if (state === "reporting") return <Status of="pass">Reporting</Status>;
  if (state === "failing") return <Status of="mismatch">{error ?? "nvidia-smi fails"}</Status>;
  if (state === "silent") return <Status of="telemetryLost">Silent</Status>;
  if (state === "never") return <Status of="notChecked">Never reported</Status>;
  return <span className="muted">not billed</span>;
}
