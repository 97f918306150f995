"use client";

import { Trash2 } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import type { RuleRow } from "@/lib/domain/alerts/rule-view";
import { formatCount } from "@/lib/domain/format";
import { openAlerts } from "./rule-switch";
import { useVerb, type Verb } from "./use-verb";

type Props = { rule: RuleRow; verb: Verb<{ ruleId: string }>; after: Route };

/** Takes a rule away, after saying what ends with it and what stays. */
export function RuleDelete({ rule, verb, after }: Props) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const remove = useVerb(verb, () => {
    toast("ok", `${rule.name} is deleted`);
    router.push(after);
  });
  const open = openAlerts(rule);
  return (
    <Dialog
      isNarrow
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        remove.clear();
      }}
      trigger={
        <Button look="danger" icon={Trash2}>
          Delete…
        </Button>
      }
      title={`Delete ${rule.name}?`}
      about={
        open === 0
          ? "No alert of it is open."
          : `${formatCount(open, "open alert")} of it will be closed with the reason “the rule was deleted”.`
      }
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button look="danger-solid" isPending={remove.isPending} onClick={() => remove.run({ ruleId: rule.id })}>
            Delete the rule
          </Button>
        </>
      }
    >
      {remove.failure && (
        <Note tone="crit">
          <b>The rule was not deleted.</b> {remove.failure.message}
        </Note>
      )}
      <p>
        What it found stays in the history of each instance.{" "}
        {rule.isDefault && "A default rule does not come back by itself. "}
        To stop it for a while, switch it off instead.
      </p>
    </Dialog>
  );
}
