"use client";

import { Bot, Plus } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Button, ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Menu, MenuLink } from "@/components/ui/menu";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { Age } from "@/components/ui/time";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { POLICY_KINDS } from "@/lib/domain/policies/kinds";
import type { PolicyRow } from "@/lib/domain/policies/view";
import { KIND_NAMES, KIND_WHAT } from "@/lib/domain/policies/words";
import { policiesQuery } from "@/lib/queries/policies";
import { ResumeAutomation, StopAutomation, type TurnAutomation } from "./automation-switch";
import { ActLine, ModeBadge, NextLine, TallyLine } from "./policy-words";

type Props = {
  canWrite: boolean;
  /** Null: this role may not. */
  stop: TurnAutomation | null;
  resume: TurnAutomation | null;
};

/** Every standing policy: what it does now and next, and what it would have done. */
export function PoliciesPanel({ canWrite, stop, resume }: Props) {
  const { data } = useLive(policiesQuery());
  const { policies, automation } = data;
  const isStopped = automation.stoppedAt !== null;
  const armed = policies.filter(({ mode }) => mode === "armed").length;
  const saved = policies.reduce(
    (sum, { tally, mode }) => (mode === "shadow" ? sum + BigInt(tally.savedMicros) : sum),
    0n,
  );
  const shadows = policies.filter(({ mode }) => mode === "shadow").length;
  const turn = isStopped ? resume && <ResumeAutomation resume={resume} /> : stop && <StopAutomation stop={stop} />;
  return (
    <>
      <Lede>
        {isStopped ? (
          <>
            <b>All automation is stopped.</b>{" "}
            {policies.length > 0 && `${formatCount(policies.length, "policy", "policies")} wait.`}
          </>
        ) : armed > 0 ? (
          <>
            <b>{formatCount(armed, "policy acts", "policies act")}</b> by {armed === 1 ? "itself" : "themselves"}
            {shadows > 0 && (
              <>
                , {shadows} in shadow would have saved {formatUsd(saved)}
              </>
            )}
            .
          </>
        ) : (
          <>
            <b>Nothing acts by itself.</b>{" "}
            {shadows > 0 && (
              <>
                {formatCount(shadows, "policy", "policies")} in shadow would have saved <b>{formatUsd(saved)}</b>.
              </>
            )}
          </>
        )}
      </Lede>
      <Deck>
        <Panel
          title="Standing policies"
          className="policies-panel"
          sub="each is watched for a week before it may act"
          span={12}
          isFlush={policies.length > 0}
          actions={
            <>
              {turn}
              {canWrite && policies.length > 0 && <NewPolicy />}
            </>
          }
        >
          {policies.length === 0 ? (
            <Empty
              icon={Bot}
              title="No policy yet"
              text="A policy ends what nobody needs, holds launches back when a budget is gone, or waits for capacity. It begins by only saying what it would do."
              action={canWrite ? <NewPolicy /> : undefined}
            />
          ) : (
            <ul className="policy-list">
              {policies.map((policy) => (
                <Row key={policy.id} policy={policy} isStopped={isStopped} now={data.now} />
              ))}
            </ul>
          )}
        </Panel>
      </Deck>
    </>
  );
}

function Row({ policy, isStopped, now }: { policy: PolicyRow; isStopped: boolean; now: number }) {
  return (
    <li className="policy-row">
      <div>
        <p className="policy-name">
          <Link className="name-link" href={`/policies/${policy.id}` as Route}>
            {policy.name}
          </Link>
          <ModeBadge mode={policy.mode} />
        </p>
        <p className="text-text-2">{policy.words}</p>
        <p className="muted">
          {KIND_NAMES[policy.kind]}
          {policy.lookedAt !== null && (
            <>
              , looked <Age at={policy.lookedAt} />
            </>
          )}
        </p>
      </div>
      <div>
        <NextLine policy={policy} isStopped={isStopped} />
      </div>
      <div>
        {policy.mode === "armed" || policy.kind === "capacity_watch" ? (
          policy.lastActs.length === 0 ? (
            <p className="muted">Has not acted yet.</p>
          ) : (
            policy.lastActs.map((act) => <ActLine key={`${act.slot} ${act.target}`} act={act} />)
          )
        ) : (
          <TallyLine policy={policy} now={now} />
        )}
      </div>
      <ButtonLink href={`/policies/${policy.id}` as Route} size="small" aria-label={`Open ${policy.name}`}>
        Open
      </ButtonLink>
    </li>
  );
}

function NewPolicy() {
  return (
    <Menu
      trigger={
        <Button look="primary" icon={Plus}>
          New policy
        </Button>
      }
    >
      {POLICY_KINDS.map((kind) => (
        <MenuLink
          key={kind}
          href={`/policies/new?kind=${kind}` as Route}
          hint={KIND_WHAT[kind].split(". ")[0]?.replace(/\.$/, "")}
        >
          {KIND_NAMES[kind]}
        </MenuLink>
      ))}
    </Menu>
  );
}
