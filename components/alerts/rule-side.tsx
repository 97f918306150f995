"use client";

import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Instant, Lasting } from "@/components/ui/time";
import { RESOLVE_WORDS } from "@/lib/domain/alerts/message";
import { isWanted } from "@/lib/domain/alerts/notify";
import type { RuleAnswer, RuleChannel } from "@/lib/domain/alerts/rule-view";
import type { Severity } from "@/lib/domain/alerts/types";

/** Who hears when it fires: channels choose by severity. */
export function HearsPanel({ channels, severity }: { channels: readonly RuleChannel[]; severity: Severity }) {
  const heard = channels.filter(
    (channel) => channel.enabled && isWanted({ ...channel, sendResolved: true }, "fired", severity),
  );
  return (
    <Panel
      title="Who hears"
      sub={severity}
      actions={
        <Link className="link" href={"/settings" as Route}>
          Channels
        </Link>
      }
    >
      {heard.length === 0 ? (
        <p className="muted">
          {channels.length === 0
            ? "No channel is set up. Alerts stand in the inbox and are told to nobody."
            : `No channel takes ${severity} alerts. They stand in the inbox and are told to nobody.`}
        </p>
      ) : (
        <ul className="grid gap-1">
          {heard.map((channel) => (
            <li key={channel.name} className="flex justify-between gap-3">
              <span className="ellipsis">{channel.name}</span>
              <span className="muted">
                {channel.kind === "slack" ? "Slack" : "Webhook"}, {channel.minSeverity} and above
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** What it found of late. */
export function RecentPanel({ recent }: Pick<RuleAnswer, "recent">) {
  return (
    <Panel title="Fired lately">
      {recent.length === 0 ? (
        <p className="muted">It has not fired yet.</p>
      ) : (
        <ul className="grid gap-1">
          {recent.slice(0, 8).map((one) => (
            <li key={one.id} className="flex justify-between gap-3">
              <Link className="link ellipsis" href={`/alerts/${one.id}` as Route}>
                {one.targetName}
              </Link>
              <span className="muted whitespace-nowrap">
                <Instant at={one.firedAt} />, <Lasting from={one.firedAt} to={one.resolvedAt} />
                {one.resolvedAt === null && " so far"}
                {one.reason !== null && one.reason !== "recovered" && `, ${RESOLVE_WORDS[one.reason]}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const ACT_WORDS: Record<string, string> = {
  "rule.created": "created it",
  "rule.changed": "changed",
  "rule.paused": "switched it off",
  "rule.resumed": "switched it on",
};

/** Who changed it, and what. */
export function ChangesPanel({ changes }: Pick<RuleAnswer, "changes">) {
  if (changes === null) return null;
  return (
    <Panel title="Changes">
      {changes.length === 0 ? (
        <p className="muted">Nobody has changed it; it came with the installation.</p>
      ) : (
        <ul className="grid gap-1">
          {changes.map((change) => (
            <li key={`${change.at} ${change.action}`}>
              <b>{change.by}</b> {ACT_WORDS[change.action] ?? change.action}
              {change.action === "rule.changed" && ` ${fieldWords(change.fields)}`}{" "}
              <span className="muted">
                <Instant at={change.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const FIELD_WORDS: Record<string, string> = {
  clearThreshold: "where it clears",
  forMs: "for how long",
  keepFiringMs: "how long it is held",
  intervalMs: "how often it is judged",
  noData: "what silence means",
  selector: "what it watches",
  action: "what to do",
  reason: "why",
  enabled: "whether it is on",
};

function fieldWords(fields: readonly string[]): string {
  const words = fields.filter((field) => field !== "version").map((field) => FIELD_WORDS[field] ?? field);
  return words.length === 0 ? "nothing" : words.join(", ");
}
