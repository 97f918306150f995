"use client";

import { ArrowDown, ArrowUp, Plus } from "lucide-react";
import { useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button, IconButton } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import type {
  AllocationAnswer,
  EndRule,
  MoveRule,
  RuleDraft,
  RulePreview,
  RuleView,
} from "@/lib/domain/cost/allocation-view";
import { ownerWords } from "@/lib/domain/cost/attribution";
import { formatCount, formatUsd, THIN } from "@/lib/domain/format";
import { RuleDialog } from "./rule-dialog";

export type RuleActs = {
  create: Act<RuleDraft, { id: string }>;
  preview: Act<RuleDraft, RulePreview>;
  end: Act<EndRule, { id: string }>;
  move: Act<MoveRule, { id: string }>;
};

type Props = { data: AllocationAnswer; acts: RuleActs | null; locked: string | null; canExport: boolean };

/** The rules in the order in which they are asked. */
export function RulesPanel({ data, acts, locked, canExport }: Props) {
  const [isNew, setNew] = useState(false);
  const { rules } = data;
  return (
    <Panel
      span={12}
      isFlush
      title="Rules"
      sub="labels set by hand win; then the first rule that matches; then Lambda’s tags"
      actions={
        <>
          {canExport && rules.length > 0 && <TableLinks href="/api/v1/cost/allocation/rules" what="The rules" />}
          {acts && (
            <Button size="small" icon={Plus} onClick={() => setNew(true)}>
              New rule
            </Button>
          )}
        </>
      }
    >
      {rules.length === 0 ? (
        <Empty
          title="No rules"
          text="Labels and Lambda’s tags say who pays. A rule says it for names, types or tags, or shares a cost among several."
        />
      ) : (
        <Table label="Allocation rules">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Pays</th>
              <th scope="col" className="not-phone">
                Holds
              </th>
              <th scope="col" className="num not-phone">
                Resources
              </th>
              <th scope="col" className="num">
                This month
              </th>
              {acts && (
                <th scope="col">
                  <span className="sr-only">Order and end</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rules.map((rule, place) => (
              <tr key={rule.id}>
                <th scope="row">
                  {rule.name}
                  {rule.state !== "on" && (
                    <span className="cost-badges">
                      <Badge tone="plain">{rule.state === "ended" ? "Ended" : "To come"}</Badge>
                    </span>
                  )}
                  <small className="muted block">{rule.about}</small>
                </th>
                <td className="text-text-2">{payWords(rule)}</td>
                <td className="not-phone whitespace-nowrap">
                  <Instant at={rule.from} />
                  {rule.to !== null && (
                    <>
                      {" to "}
                      <Instant at={rule.to} />
                    </>
                  )}
                </td>
                <td className="num not-phone">{rule.resources}</td>
                <td className="num">{formatUsd(rule.micros)}</td>
                {acts && (
                  <td>
                    <RuleButtons rule={rule} acts={acts} isFirst={place === 0} isLast={place === rules.length - 1} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {locked && <p className="cost-remark">{locked}</p>}
      {isNew && acts && (
        <RuleDialog
          start={{ name: "", selector: { name: "" }, words: null }}
          data={data}
          acts={acts}
          onClose={() => setNew(false)}
        />
      )}
    </Panel>
  );
}

function payWords({ method, shares }: RuleView): string {
  const who = shares.map(({ words, ppm }) =>
    method === "fixed" ? `${ownerWords(words)} ${ppm / 10_000}${THIN}%` : ownerWords(words),
  );
  if (method === "whole" || method === "fixed") return who.join("; ");
  const all = who.length === 0 ? "everybody who has machines" : who.join("; ");
  return method === "even" ? `${who.length === 0 ? "everybody" : all}, evenly` : `${all}, by GPU-minutes`;
}

type ButtonsProps = { rule: RuleView; acts: RuleActs; isFirst: boolean; isLast: boolean };

function RuleButtons({ rule, acts, isFirst, isLast }: ButtonsProps) {
  const move = useAct(acts.move);
  const end = useAct(acts.end);
  const [isAsked, setAsked] = useState(false);
  const { id, version, name } = rule;
  return (
    <span className="alloc-acts is-line">
      <IconButton
        size="small"
        look="ghost"
        icon={ArrowUp}
        label={`Ask ${name} earlier`}
        disabled={isFirst}
        onClick={() => move.run({ id, version, by: "up" })}
      />
      <IconButton
        size="small"
        look="ghost"
        icon={ArrowDown}
        label={`Ask ${name} later`}
        disabled={isLast}
        onClick={() => move.run({ id, version, by: "down" })}
      />
      <Button size="small" look="ghost" onClick={() => setAsked(true)}>
        {rule.state === "on" ? "End" : "Take back"}
        <span className="sr-only"> {name}</span>
      </Button>
      <Refusal failure={move.failure} />
      <Dialog
        open={isAsked}
        onOpenChange={(isOpen) => {
          setAsked(isOpen);
          end.clear();
        }}
        isNarrow
        title={rule.state === "on" ? `End ${name}?` : `Take ${name} back?`}
        about={`It decides ${formatUsd(rule.micros)} of this month, of ${formatCount(rule.resources, "resource")}.`}
        remark="Written to the audit trail"
        actions={
          <>
            <DialogClose />
            <Button
              isPending={end.isPending}
              onClick={() => end.run({ id, version, how: "never" }, () => setAsked(false))}
            >
              As if it had never been
            </Button>
            {rule.state === "on" && (
              <Button
                look="primary"
                isPending={end.isPending}
                onClick={() => end.run({ id, version, how: "now" }, () => setAsked(false))}
              >
                End it now
              </Button>
            )}
          </>
        }
      >
        <p>
          Ended now, what it decided stays. As if it had never been: open months are worked out again, and closed ones
          are corrected in the open month.
        </p>
        <Refusal failure={end.failure} />
      </Dialog>
    </span>
  );
}
