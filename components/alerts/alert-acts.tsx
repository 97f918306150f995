"use client";

import {
  AlarmClockOff,
  BellOff,
  Clock,
  Ellipsis,
  Merge,
  MessageSquarePlus,
  Undo2,
  UserCheck,
  UserRound,
} from "lucide-react";
import type { Route } from "next";
import { useState } from "react";
import { Button, ButtonLink, IconButton } from "@/components/ui/button";
import { Menu, MenuItem, MenuLink } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import type { AlertAnswer } from "@/lib/domain/alerts/view";
import { AcknowledgeDialog, type AcknowledgeInput } from "./acknowledge-dialog";
import { AssignDialog, MergeDialog, SnoozeDialog } from "./act-dialogs";
import { isOpenToTake } from "./alert-words";
import { useVerb, type Verb } from "./use-verb";

export type AlertVerbs = {
  acknowledge: Verb<AcknowledgeInput>;
  unacknowledge: Verb<{ alertId: string }>;
  comment: Verb<{ alertId: string; note: string }>;
  assign: Verb<{ alertId: string; assigneeId: string | null }>;
  snooze: Verb<{ alertId: string; until: number | null; note: string }>;
  merge: Verb<{ alertId: string; alertIds: string[] }>;
  unmerge: Verb<{ alertId: string }>;
};

type Act = "note" | "assign" | "snooze" | "merge";

type Props = { data: AlertAnswer; verbs: AlertVerbs };

const refused = ({ message }: { message: string }) => toast("warn", "Nothing was changed", message);

/** What can be done about it: one button that matters, and the rest behind it; at the thumb on a phone. */
export function AlertActs({ data, verbs }: Props) {
  const { row, kept } = data;
  const [act, setAct] = useState<Act | null>(null);
  const close = () => setAct(null);
  const take = useVerb(
    verbs.acknowledge,
    () => toast("ok", "Acknowledged", "Repeats stop until it resolves."),
    refused,
  );
  const giveBack = useVerb(verbs.unacknowledge, () => toast("ok", "It waits for somebody again"), refused);
  const wake = useVerb(verbs.snooze, () => toast("ok", "No longer snoozed"), refused);
  const assign = useVerb(verbs.assign, () => {
    close();
    toast("ok", "Assigned");
  });
  if (row.resolvedAt !== null || row.firedAt === null) return null;
  const silence = `/alerts/silences?match=${encodeURIComponent(kept.match)}` as Route;
  const isOpen = isOpenToTake(row);
  const main = (size: "normal" | "large") =>
    isOpen ? (
      <Button
        look="primary"
        size={size}
        icon={UserCheck}
        isPending={take.isPending}
        onClick={() => take.run({ alertId: row.id, note: "", minutes: null })}
      >
        Acknowledge
      </Button>
    ) : (
      <Button size={size} icon={Undo2} isPending={giveBack.isPending} onClick={() => giveBack.run({ alertId: row.id })}>
        Give it back
      </Button>
    );
  const more = (size: "normal" | "large", hasSilence: boolean) => (
    <Menu trigger={<IconButton size={size} icon={Ellipsis} label="More about this alert" />}>
      {isOpen && (
        <MenuItem icon={MessageSquarePlus} onSelect={() => setAct("note")}>
          Acknowledge with a note…
        </MenuItem>
      )}
      <MenuItem icon={UserRound} onSelect={() => setAct("assign")}>
        Assign…
      </MenuItem>
      <MenuItem icon={Clock} onSelect={() => setAct("snooze")}>
        Snooze…
      </MenuItem>
      {row.snoozedUntil !== null && (
        <MenuItem icon={AlarmClockOff} onSelect={() => wake.run({ alertId: row.id, until: null, note: "" })}>
          End the snooze
        </MenuItem>
      )}
      <MenuItem icon={Merge} onSelect={() => setAct("merge")}>
        Merge with others…
      </MenuItem>
      {hasSilence && (
        <MenuLink icon={BellOff} href={silence}>
          Silence…
        </MenuLink>
      )}
    </Menu>
  );
  return (
    <>
      <span className="title-acts">
        {more("normal", false)}
        <ButtonLink icon={BellOff} href={silence}>
          Silence…
        </ButtonLink>
        <Button icon={UserRound} onClick={() => setAct("assign")}>
          Assign…
        </Button>
        {main("normal")}
      </span>
      <div className="thumb-act">
        {more("large", true)}
        {main("large")}
      </div>
      {act === "note" && <AcknowledgeDialog alertId={row.id} verb={verbs.acknowledge} onClose={close} />}
      {act === "assign" && (
        <AssignDialog
          current={row.assignee?.id ?? null}
          isPending={assign.isPending}
          failure={assign.failure}
          onAssign={({ assigneeId }) => assign.run({ alertId: row.id, assigneeId })}
          onClose={() => {
            close();
            assign.clear();
          }}
        />
      )}
      {act === "snooze" && (
        <SnoozeDialog row={row} now={data.now} working={workingOf(data)} verb={verbs.snooze} onClose={close} />
      )}
      {act === "merge" && <MergeDialog row={row} verb={verbs.merge} onClose={close} />}
    </>
  );
}

function workingOf({ burn }: AlertAnswer): number | null {
  return burn?.ahead?.until ?? null;
}
