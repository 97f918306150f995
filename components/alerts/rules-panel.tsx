"use client";

import { SlidersHorizontal } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { SeverityLabel } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import type { RuleRow } from "@/lib/domain/alerts/rule-view";
import { conditionText, selectorText } from "@/lib/domain/alerts/words";
import { formatCount, NONE } from "@/lib/domain/format";
import { rulesQuery } from "@/lib/queries/alerts";
import { RuleStrip } from "./alert-strip";
import { RuleSwitch, type TurnVerb } from "./rule-switch";

/** Every rule: what it watches, when it fires, and whether it is judged. */
export function RulesPanel({ turn }: { turn: TurnVerb | null }) {
  const { data } = useLive(rulesQuery());
  const rules = data.rules.toSorted((a, b) => rank(a) - rank(b));
  return (
    <Deck>
      <Panel span={12} isFlush>
        {rules.length === 0 ? (
          <Empty
            icon={SlidersHorizontal}
            title="There is no rule"
            text="Without rules nothing can fire. Write the first one with New rule."
          />
        ) : (
          <>
            <div className="fleet-wide">
              <RulesTable rules={rules} turn={turn} />
            </div>
            <ul className="fleet-phone">
              {rules.map((rule) => (
                <RuleCard key={rule.id} rule={rule} turn={turn} />
              ))}
            </ul>
          </>
        )}
      </Panel>
    </Deck>
  );
}

/** Rules that are on first, severe ones before others, as the database orders them within. */
function rank({ enabled, severity }: RuleRow): number {
  return (enabled ? 0 : 10) + { critical: 0, warning: 1, info: 2 }[severity];
}

function RulesTable({ rules, turn }: { rules: RuleRow[]; turn: TurnVerb | null }) {
  return (
    <Table label="Rules" className="rules-table">
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Fires when</th>
          <th scope="col">On</th>
          <th scope="col">Severity</th>
          <th scope="col" className="num">
            Targets
          </th>
          <th scope="col">Open alerts</th>
          <th scope="col" className="is-wide-only">
            Last 24 hours
          </th>
          <th scope="col">Judged</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <th scope="row" className="is-wrapping">
              <Link className="inbox-link" href={`/alerts/rules/${rule.id}` as Route}>
                {rule.name}
              </Link>{" "}
              <DefaultMark rule={rule} />
            </th>
            <td className="is-wrapping">{conditionText(rule)}</td>
            <td className="is-wrapping">{watched(rule)}</td>
            <td>
              <SeverityLabel of={rule.severity} />
            </td>
            <td className="num">{rule.judgedAt === null ? NONE : rule.targets}</td>
            <td>
              <OpenCount rule={rule} />
            </td>
            <td className="is-wide-only">
              <RuleStrip firedByHour={rule.firedByHour} />
            </td>
            <td>
              <JudgedAt rule={rule} />
            </td>
            <td>
              <RuleSwitch rule={rule} verb={turn} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function RuleCard({ rule, turn }: { rule: RuleRow; turn: TurnVerb | null }) {
  return (
    <li className="rule-card">
      <span className="min-w-0">
        <Link className="inbox-link" href={`/alerts/rules/${rule.id}` as Route}>
          {rule.name}
        </Link>{" "}
        <DefaultMark rule={rule} />
        <span className="block">{conditionText(rule)}</span>
        <span className="muted block">
          {watched(rule)} · <OpenCount rule={rule} /> · <JudgedAt rule={rule} />
        </span>
        <RuleStrip firedByHour={rule.firedByHour} />
      </span>
      <span className="rule-card-side">
        <SeverityLabel of={rule.severity} />
        <RuleSwitch rule={rule} verb={turn} />
      </span>
    </li>
  );
}

function DefaultMark({ rule }: { rule: RuleRow }) {
  if (!rule.isDefault) return null;
  return <Badge tone="plain">{rule.version > 1 ? "Default, changed" : "Default"}</Badge>;
}

function watched({ kind, metric, selector }: RuleRow): string {
  const words = selectorText(selector);
  if (kind === "money") return "the whole fleet";
  if (metric === "staleMs") return "the connection";
  return words === "" ? "every instance" : words;
}

function OpenCount({ rule }: { rule: RuleRow }) {
  const { firing, acknowledged, unknown, pending } = rule.open;
  const words = [
    firing > 0 && `${firing} firing`,
    acknowledged > 0 && `${acknowledged} acknowledged`,
    unknown > 0 && `${unknown} unknown`,
    pending > 0 && `${pending} pending`,
  ].filter((word) => word !== false);
  if (words.length === 0) return <span className="muted">no alert</span>;
  return <span className={firing + unknown > 0 ? "font-medium" : "muted"}>{words.join(", ")}</span>;
}

function JudgedAt({ rule }: { rule: RuleRow }) {
  if (!rule.enabled) return <span className="muted">off</span>;
  if (rule.lastError !== null)
    return (
      <span className="text-crit" title={rule.lastError}>
        could not be judged
      </span>
    );
  if (rule.judgedAt === null) return <span className="muted">not yet</span>;
  return (
    <>
      <Age at={rule.judgedAt} staleAfterMs={rule.isLate ? 0 : Number.POSITIVE_INFINITY} />
      {rule.noDataSlots >= 3 && <span className="muted">, no data for {formatCount(rule.noDataSlots, "slot")}</span>}
    </>
  );
}
