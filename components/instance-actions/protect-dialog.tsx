"use client";

import { ShieldCheck, ShieldOff } from "lucide-react";
import { useId, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { ChangeProtection } from "@/lib/domain/intents/protection";

export type ProtectAction = Act<ChangeProtection, { id: string }>;

type Props = { instanceId: string; name: string; isOn: boolean; act: ProtectAction };

/** Protects a machine from automation, or lifts that; with a reason. */
export function ProtectDialog({ instanceId, name, isOn, act }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { run, failure, isPending, clear } = useAct(act);
  const word = isOn ? "Lift protection" : "Protect";
  return (
    <Dialog
      trigger={
        <Button size="small" icon={isOn ? ShieldOff : ShieldCheck}>
          {word}…
        </Button>
      }
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        setReason("");
        clear();
      }}
      isNarrow
      title={isOn ? `Lift the protection of ${name}?` : `Protect ${name}?`}
      about={
        isOn
          ? "Standing policies may end it again, where they say so."
          : "No policy, lease or budget guard ends it. People are asked a second time before they do."
      }
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button type="submit" form={id} look="primary" disabled={reason.trim().length < 3} isPending={isPending}>
            {word}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run({ instanceId, reason }, () => {
            setOpen(false);
            toast("ok", isOn ? "Protection lifted" : "Protected", name);
          });
        }}
      >
        <TextField
          label="Reason"
          hint={isOn ? undefined : "Shown to whoever wants to end it"}
          value={reason}
          maxLength={300}
          onChange={(event) => setReason(event.target.value)}
          error={failure?.fields.reason}
        />
        <Refusal failure={failure} fields={["reason"]} />
      </form>
    </Dialog>
  );
}
