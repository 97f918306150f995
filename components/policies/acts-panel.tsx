"use client";

import type { Route } from "next";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { formatUsd, formatUsdRate } from "@/lib/domain/format";
import type { ActRow } from "@/lib/domain/policies/view";
import { DECISION_WORDS, decisionTone, TargetName } from "./policy-words";

/** What it decided, the newest first: what it did, would have done, and let go. */
export function ActsPanel({ acts }: { acts: readonly ActRow[] }) {
  return (
    <Panel title="What it decided" sub="the newest first" isFlush={acts.length > 0}>
      {acts.length === 0 ? (
        <p className="muted">Nothing yet.</p>
      ) : (
        <Table label="What it decided">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">What</th>
              <th scope="col">Decision</th>
              <th scope="col" className="num">
                Saves
              </th>
            </tr>
          </thead>
          <tbody>
            {acts.map((act) => (
              <tr key={`${act.slot} ${act.target}`}>
                <td className="whitespace-nowrap">
                  <Instant at={act.decidedAt} />
                </td>
                <th scope="row" className="policy-what">
                  <TargetName of={act} />
                  <small className="policy-sub">{act.reason}</small>
                </th>
                <td>
                  {act.intentId === null ? (
                    <Badge tone={decisionTone(act.decision)}>{DECISION_WORDS[act.decision]}</Badge>
                  ) : (
                    <Link className="link" href={`/activity?q=${act.name}` as Route}>
                      {DECISION_WORDS[act.decision]}
                    </Link>
                  )}
                </td>
                <td className="num">
                  <Saves act={act} />
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function Saves({ act }: { act: ActRow }) {
  if (act.savedMicros === null || act.act !== "terminate") return null;
  if (act.decision === "acted") return <>{formatUsdRate(act.savedMicros)}</>;
  if (act.decision !== "would_act") return null;
  return (
    <>
      {formatUsd(act.savedMicros)}
      <small className="policy-sub">
        {act.closed === null ? "so far" : `until it ${CLOSED[act.closed.why] ?? act.closed.why}`}
      </small>
    </>
  );
}

const CLOSED: Record<string, string> = {
  gone: "was gone",
  "works again": "worked again",
  "wanted again": "was wanted again",
};
