"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { RuleRow } from "@/lib/domain/alerts/rule-view";
import { formatCount } from "@/lib/domain/format";
import { useVerb, type Verb } from "./use-verb";

export type TurnVerb = Verb<{ ruleId: string; enabled: boolean }>;

type Props = {
  rule: RuleRow;
  /** Null: this role sees rules and does not change them. */
  verb: TurnVerb | null;
};

const NO_VERB: TurnVerb = () => Promise.reject(new Error("This role changes no rules"));

/** On or off. Off asks first where it would close alerts. */
export function RuleSwitch({ rule, verb }: Props) {
  const [isAsking, setAsking] = useState(false);
  const turn = useVerb(
    verb ?? NO_VERB,
    () => {
      setAsking(false);
      toast("ok", rule.enabled ? `${rule.name} is off` : `${rule.name} is on`);
    },
    ({ message }) => toast("crit", "Nothing was changed", message),
  );
  const open = openAlerts(rule);
  const set = (enabled: boolean) => {
    if (!enabled && open > 0) setAsking(true);
    else turn.run({ ruleId: rule.id, enabled });
  };
  return (
    <>
      <Checkbox
        role="switch"
        label={rule.enabled ? "On" : "Off"}
        aria-label={`${rule.name}: on`}
        checked={rule.enabled}
        disabled={verb === null || turn.isPending}
        title={verb === null ? "Your role sees rules and does not change them" : undefined}
        onChange={(event) => set(event.target.checked)}
      />
      <Dialog
        isNarrow
        open={isAsking}
        onOpenChange={setAsking}
        title={`Switch off ${rule.name}?`}
        about={`${formatCount(open, "open alert")} of it will be closed with the reason “the rule was paused”.`}
        remark="Written to the audit trail"
        actions={
          <>
            <DialogClose />
            <Button
              look="danger-solid"
              isPending={turn.isPending}
              onClick={() => turn.run({ ruleId: rule.id, enabled: false })}
            >
              Switch off
            </Button>
          </>
        }
      >
        <p>
          Where a channel heard that one fired, it hears that it ended. Nothing is judged until the rule is on again.
        </p>
      </Dialog>
    </>
  );
}

/** Alerts that close when the rule goes. */
export function openAlerts({ open }: RuleRow): number {
  return open.firing + open.acknowledged + open.unknown;
}
