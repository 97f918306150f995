"use client";

import { Split } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import { alertQuery } from "@/lib/queries/alerts";
import { PART_WORDS } from "./alert-words";
import { useVerb, type Verb } from "./use-verb";
import { When } from "./when";

const NO_VERB: Verb<{ alertId: string }> = () => Promise.reject(new Error("This role takes no alerts"));
const SHOWN = 8;

type Props = {
  alertId: string;
  /** Null: this role changes no incidents. */
  unmerge: Verb<{ alertId: string }> | null;
};

/** The other alerts of the same incident; nothing where it stands alone. */
export function IncidentPanel({ alertId, unmerge }: Props) {
  const { data } = useLive(alertQuery({ alertId }));
  const leave = useVerb(
    unmerge ?? NO_VERB,
    () => toast("ok", "Taken out of the incident"),
    ({ message }) => toast("warn", "Nothing was changed", message),
  );
  const { incident } = data;
  if (incident === null) return null;
  const isLead = incident.leadId === alertId;
  return (
    <Panel
      title="Incident"
      sub={`with ${formatCount(incident.others.length, "other alert")}`}
      actions={
        unmerge && (
          <Button look="ghost" icon={Split} isPending={leave.isPending} onClick={() => leave.run({ alertId })}>
            {isLead ? "Take apart" : "Take this out"}
          </Button>
        )
      }
    >
      <ul className="grid gap-2">
        {incident.others.slice(0, SHOWN).map((one) => (
          <li key={one.id} className="flex items-start justify-between gap-3">
            <span className="min-w-0">
              <Link className="link" href={`/alerts/${one.id}` as Route}>
                {one.ruleName}
              </Link>{" "}
              {one.id === incident.leadId && <Badge tone="plain">leads</Badge>}
              <span className="muted ellipsis block">{one.targetName}</span>
            </span>
            <span className="muted text-right">
              {PART_WORDS[one.part].toLowerCase()}
              {one.firedAt !== null && (
                <span className="block">
                  since <When at={one.firedAt} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {incident.others.length > SHOWN && (
        <p className="muted pt-2">and {formatCount(incident.others.length - SHOWN, "more alert")}</p>
      )}
    </Panel>
  );
}
