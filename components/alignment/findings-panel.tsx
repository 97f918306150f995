"use client";

import type { Route } from "next";
import { Formula } from "@/components/plan/formula";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Deck, Panel } from "@/components/ui/panel";
import { SeverityLabel } from "@/components/ui/status";
import { Age, Instant } from "@/components/ui/time";
import { FACT_WORDS, SOURCE_WORDS } from "@/lib/domain/alignment/check";
import { effectFigure } from "@/lib/domain/alignment/effect";
import type { AlignmentAnswer, FindingGroup, GroupView } from "@/lib/domain/alignment/view";
import { formatCount } from "@/lib/domain/format";
import type { FindingActs } from "./alignment-room";
import { AcceptButton, AssignButton, ReopenButton } from "./finding-acts";
import { effectText } from "./words";

const STATE_WORDS = { pending: "seen once", open: "open", accepted: "accepted", settled: "settled" } as const;

/** Everything that is not as declared, each with what its sources say and what would settle it. */
export function FindingsPanel({ data, acts }: { data: AlignmentAnswer; acts: FindingActs | null }) {
  const groups = data.findings;
  const total = groups.reduce((sum, { ids }) => sum + ids.length, 0);
  const hours = data.declared?.hoursPerMonth ?? 720;
  return (
    <Deck>
      <Panel
        span={12}
        title="Findings"
        sub={`${formatCount(total, "difference")}, the worst first; effects per ${hours} h`}
        isFlush
      >
        {groups.length === 0 ? (
          <p className="muted px-4 pb-4">
            Nothing that a poll saw differs from what was declared
            {data.counts.unverified > 0 && `; ${formatCount(data.counts.unverified, "fact")} could not be verified`}.
          </p>
        ) : (
          <ul>
            {groups.map((group) => (
              <FindingItem
                key={group.ids[0]}
                group={group}
                declared={data.groups.find(({ name }) => name === group.group) ?? null}
                hours={hours}
                acts={acts}
              />
            ))}
          </ul>
        )}
      </Panel>
    </Deck>
  );
}

type ItemProps = { group: FindingGroup; declared: GroupView | null; hours: number; acts: FindingActs | null };

function FindingItem({ group, declared, hours, acts }: ItemProps) {
  const { ids, targets, accepted, assignee } = group;
  const money = effectFigure({ ...group, machines: ids.length }, declared, hours);
  const [first] = targets;
  const effect = effectText(group.monthMicros, group.memoryGb);
  return (
    <li className="finding">
      <details>
        <summary>
          <span className="finding-title">
            <SeverityLabel of={group.severity}>{FACT_WORDS[group.fact]}</SeverityLabel>
            <span className="finding-values">
              {group.declared !== null && <s>{group.declared}</s>} <b>{group.observed ?? "nothing"}</b>
            </span>
          </span>
          <span className="finding-where">
            {ids.length === 1 ? first?.name : formatCount(ids.length, "machine")}
            {group.group !== null && first?.name !== group.group && <span className="muted"> in {group.group}</span>}
          </span>
          <span className="finding-state">
            {group.state !== "open" && (
              <Badge tone={group.state === "pending" ? "warn" : "mute"}>{STATE_WORDS[group.state]}</Badge>
            )}
            {assignee && <span className="muted">{assignee.name}</span>}
          </span>
          <span className="finding-effect num">{effect ?? <span className="muted">no effect</span>}</span>
        </summary>
        <div className="finding-body">
          <div>
            <p>{group.why}</p>
            <p>
              <b>Settled by:</b> {group.settle}
              {group.line !== null && acts && (
                <>
                  {" "}
                  <Link className="link underline" href={`/alignment/declaration?line=${group.line}` as Route}>
                    Line {group.line}
                  </Link>
                </>
              )}
            </p>
            {accepted && group.state === "accepted" && (
              <p>
                <b>Accepted</b> by {accepted.by}: {accepted.reason}
                {accepted.until !== null && (
                  <>
                    , until <Instant at={accepted.until} year />
                  </>
                )}
                .
              </p>
            )}
            {money && (
              <p>
                <b>Effect in {hours} h:</b> <Formula figure={money} align="start" />
              </p>
            )}
            <p className="muted">
              Since <Instant at={group.since} year />, {formatCount(group.agreedPolls, "poll")} agree
              {group.agreedPolls === 1 ? "s" : ""}.
            </p>
            {ids.length > 1 && <Machines group={group} />}
          </div>
          <EvidenceList evidence={group.evidence} />
          {acts && (
            <div className="finding-acts not-print">
              {group.state === "accepted" ? (
                <ReopenButton reopen={acts.reopen} ids={ids} />
              ) : (
                group.state === "open" && <AcceptButton accept={acts.accept} ids={ids} fact={FACT_WORDS[group.fact]} />
              )}
              <AssignButton assign={acts.assign} ids={ids} current={assignee?.id ?? null} />
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

function EvidenceList({ evidence }: Pick<FindingGroup, "evidence">) {
  return (
    <dl className="finding-evidence">
      {evidence.map(({ source, says, at }) => (
        <div key={source}>
          <dt>{SOURCE_WORDS[source]}</dt>
          <dd>
            {says ?? <span className="muted">says nothing</span>}
            {at !== null && (
              <span className="muted">
                {" "}
                <Age at={at} />
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Machines({ group: { ids, targets } }: { group: FindingGroup }) {
  return (
    <p className="text-12">
      {targets.map(({ instanceId, name }, i) => (
        <span key={instanceId ?? name}>
          {i > 0 && ", "}
          {instanceId === null ? (
            name
          ) : (
            <Link className="link underline" href={`/fleet/${instanceId}` as Route}>
              {name}
            </Link>
          )}
        </span>
      ))}
      {ids.length > targets.length && ` and ${ids.length - targets.length} more`}
    </p>
  );
}
