"use client";

import { Rocket, Server, SlidersHorizontal } from "lucide-react";
import type { Route } from "next";
import { type ChangeAction, ChangeDialog } from "@/components/instance-actions/change-dialog";
import { useLive } from "@/components/page/use-live";
import { ButtonLink } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Age, Instant, Lasting } from "@/components/ui/time";
import { RESOLVE_WORDS } from "@/lib/domain/alerts/message";
import type { AlertAnswer } from "@/lib/domain/alerts/view";
import { formatCount } from "@/lib/domain/format";
import { alertQuery } from "@/lib/queries/alerts";
import { DeliveryState } from "./delivery-state";

type Props = { alertId: string };

type ActProps = Props & { restart: ChangeAction | null; terminate: ChangeAction | null };

/** What the rule's author wants done, why the limit is where it is, and where it can be done. */
export function RecommendedPanel({ alertId, restart, terminate }: ActProps) {
  const { data } = useLive(alertQuery({ alertId }));
  const { rule, row, instance } = data;
  const isThere = instance !== null && !instance.isGone && !["terminating", "terminated"].includes(instance.status);
  return (
    <Panel title="Recommended" className="is-advice">
      <p>{rule.action || "The rule says nothing about what to do."}</p>
      {rule.runbook !== "" && <Runbook text={rule.runbook} />}
      {data.ssh !== null && (
        <div className="pt-2">
          <CodeLine text={data.ssh} what="The ssh command" />
        </div>
      )}
      {rule.reason && (
        <details className="pt-2">
          <summary className="link">Why this limit</summary>
          <p className="pt-1 text-text-2">{rule.reason}</p>
        </details>
      )}
      <p className="flex flex-wrap gap-2 pt-3">
        {row.resourceId !== null && (
          <ButtonLink icon={Server} href={`/fleet/${row.resourceId}` as Route}>
            Open the instance
          </ButtonLink>
        )}
        {instance && isThere && restart && instance.status === "active" && (
          <ChangeDialog instanceId={instance.id} name={instance.name} kind="restart" act={restart} />
        )}
        {instance && isThere && terminate && (
          <ChangeDialog instanceId={instance.id} name={instance.name} kind="terminate" act={terminate} />
        )}
        {instance && LIKE.has(row.metric) && (
          <ButtonLink icon={Rocket} href={`/launch?like=${instance.id}` as Route}>
            Launch another like it
          </ButtonLink>
        )}
        {!rule.isDeleted && (
          <ButtonLink look="ghost" icon={SlidersHorizontal} href={`/alerts/rules/${row.ruleId}` as Route}>
            The rule
          </ButtonLink>
        )}
      </p>
    </Panel>
  );
}

/** What another machine of the same kind would mend. */
const LIKE = new Set(["verificationFailed", "bootingMs", "unhealthy"]);

const COMMAND =
  /^(?:sudo |ssh |nvidia-smi|tail |top|iostat|ifstat|dmesg|journalctl|systemctl|docker |df |du |free|ps |kill |curl |lsof|ls |cat )/;

/** Step by step. What follows a colon and reads as a command can be told from what is said of it. */
function Runbook({ text }: { text: string }) {
  return (
    <ol className="runbook">
      {text.split("\n").map((line) => {
        const step = line.replace(/^\d+\.\s*/, "");
        const [, lead = "", rest = ""] = /^([^:]*: )(.*)$/.exec(step) ?? [];
        return (
          <li key={line}>
            {COMMAND.test(rest) ? (
              <>
                {lead}
                <code className="mono">{rest}</code>
              </>
            ) : (
              step
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Who was told, and what their server answered. */
export function DeliveriesPanel({ alertId }: Props) {
  const { data } = useLive(alertQuery({ alertId }));
  return (
    <Panel
      title="Deliveries"
      sub={data.deliveries.length > 0 ? formatCount(data.deliveries.length, "message") : undefined}
      className="is-deliveries"
    >
      {data.deliveries.length === 0 ? (
        <p className="muted">{nobodyTold(data)}</p>
      ) : (
        <ul className="grid gap-2">
          {data.deliveries.map((item) => (
            <li key={item.id} className="delivery">
              <span className="min-w-0">
                <b className="ellipsis block">{item.channel}</b>
                <span className="muted block">
                  {CHANNEL_WORDS[item.channelKind] ?? item.channelKind}, {NEWS_WORDS[item.kind] ?? item.kind}
                </span>
              </span>
              <span className="text-right">
                <DeliveryState item={item} />
                <span className="muted block">
                  {item.attempts > 1 && `${item.attempts} attempts, `}
                  {item.statusCode !== null && `HTTP ${item.statusCode}, `}
                  <Age at={item.at} />
                </span>
              </span>
              {item.error && <span className="delivery-error">{item.error}</span>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

const CHANNEL_WORDS: Record<string, string> = {
  slack: "Slack",
  webhook: "Webhook",
  pagerduty: "PagerDuty",
  email: "Mail",
};

const NEWS_WORDS: Record<string, string> = {
  fired: "that it fired",
  resolved: "that it resolved",
  reraised: "that it still fires",
  flapping: "that it flaps",
  escalated: "that it became critical",
  passed_on: "that nobody took it",
  acknowledged: "that it was acknowledged",
  repeated: "again",
};

function nobodyTold({ channels, row }: AlertAnswer): string {
  if (row.firedAt === null) return "It has not fired yet, so nobody has been told.";
  if (channels > 0) return "Nothing was sent: the channels were added after it fired, or it was held while flapping.";
  return `No channel takes ${row.severity} alerts, so nobody was told but those who look here. Channels are in Settings.`;
}

/** How often it happened before, and how long each time. */
export function EarlierPanel({ alertId }: Props) {
  const { data } = useLive(alertQuery({ alertId }));
  return (
    <Panel title="Before" sub="same rule, same target" className="is-earlier">
      {data.earlier.length === 0 ? (
        <p className="muted">It has not fired here before.</p>
      ) : (
        <ul className="grid gap-1">
          {data.earlier.slice(0, 8).map((one) => (
            <li key={one.id} className="flex items-center justify-between gap-3">
              <Link className="link earlier-link" href={`/alerts/${one.id}` as Route}>
                <Instant at={one.firedAt} />
              </Link>
              <span className="muted">
                <Lasting from={one.firedAt} to={one.resolvedAt} />
                {one.reason !== null && one.reason !== "recovered" && `, ${RESOLVE_WORDS[one.reason]}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
