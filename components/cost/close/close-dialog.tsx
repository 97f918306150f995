"use client";

import { Lock } from "lucide-react";
import { useState } from "react";
import { monthName } from "@/components/cost/words";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { CloseAnswer, Point } from "@/lib/domain/cost/close";
import { formatCount, formatUsd } from "@/lib/domain/format";
import type { CloseRights } from "./close-room";

type Props = { data: CloseAnswer; left: readonly Point[]; act: CloseRights["acts"]["close"] };

/** Says what closing is, once more, before it is done for ever. */
export function CloseDialog({ data, left, act }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { run, failure, isPending, clear } = useAct(act);
  const name = monthName(data.month);
  if (left.length > 0)
    return (
      <Button size="small" icon={Lock} disabled title={`First: ${left.map(({ title }) => title).join("; ")}`}>
        Close month…
      </Button>
    );
  return (
    <Dialog
      trigger={
        <Button size="small" look="primary" icon={Lock}>
          Close month…
        </Button>
      }
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        clear();
      }}
      title={`Close ${name}?`}
      about="This is not taken back."
      isNarrow
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button
            look="primary"
            isPending={isPending}
            onClick={() =>
              run({ month: data.month }, ({ contentHash, wasClosed }) => {
                setOpen(false);
                toast(
                  "ok",
                  wasClosed ? `${name} was closed already` : `${name} is closed`,
                  `Content hash ${contentHash.slice(0, 12)}…`,
                );
              })
            }
          >
            Close {monthName(data.month, false)}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p>What becomes unchangeable, and gets a content hash:</p>
        <ul className="close-list">
          <li>
            the {formatCount(data.rows, "ledger row")} of the month, {formatUsd(data.totalMicros)} in all
          </li>
          <li>how shared cost was spread in it</li>
          <li>its statements, for everybody and for each team</li>
          <li>this list, with who settled what</li>
        </ul>
        <p className="text-text-2">
          What is learnt later, a late price, a moved end, another team, becomes a correction row in the open month and
          names the day that it belongs to. The month itself is not opened again.
        </p>
        <Refusal failure={failure} />
      </div>
    </Dialog>
  );
}
