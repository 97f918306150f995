"use client";

import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { Loading } from "@/components/ui/states";
import { ClockTime } from "@/components/ui/time";
import type { FirewallChange } from "@/lib/domain/cloud/firewall";
import { firewallQuery } from "@/lib/queries/cloud";

// Judging a rule while it is typed takes its schema: loaded when rules are seen.
const Ruleset = lazy(() => import("./firewall-ruleset").then((module) => ({ default: module.Ruleset })));

export type ChangeRules = Act<FirewallChange, { id: string }>;

/** What may come in from outside. Read from Lambda when somebody wants to see it. */
export function FirewallPanel({ change, locked }: { change: ChangeRules; locked: string | null }) {
  const [isWanted, setWanted] = useState(false);
  const { data, isFetching, isError, refetch } = useQuery({ ...firewallQuery(), enabled: isWanted });
  const ask = () => (isWanted ? void refetch() : setWanted(true));
  return (
    <Panel
      title="Firewall"
      sub={
        data ? (
          <>
            as Lambda had it at <ClockTime at={data.now} />
          </>
        ) : (
          "what may come in from outside; everything that goes out is allowed"
        )
      }
      actions={
        <Button size="small" icon={RefreshCw} isPending={isFetching} onClick={ask}>
          {data ? "Read again" : "Read the rules"}
        </Button>
      }
      span={12}
    >
      <div className="grid gap-4">
        {isError && <Note tone="crit">The rules could not be read. Nothing was changed; try again.</Note>}
        {data?.problem && <Note tone="crit">{data.problem}</Note>}
        {!data && isFetching && <Loading rows={3} />}
        {!isWanted && <p className="muted">The rules are not kept here. Reading them asks Lambda twice.</p>}
        <Suspense fallback={<Loading rows={3} />}>
          {data?.rulesets.map((ruleset) => (
            <Ruleset
              key={`${ruleset.id} ${JSON.stringify(ruleset.rules)}`}
              ruleset={ruleset}
              change={change}
              isLocked={locked !== null}
              onChanged={() => void refetch()}
            />
          ))}
        </Suspense>
        {locked !== null && <p className="muted">{locked}</p>}
      </div>
    </Panel>
  );
}
