"use client";

import type { Route } from "next";
import { useSearchParams } from "next/navigation";
import { useLive } from "@/components/page/use-live";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { instanceQuery } from "@/lib/queries/fleet";
import { type ChangeAction, ChangeDialog } from "./change-dialog";

type Props = {
  question: InstancePageQuestion;
  canRestart: boolean;
  canTerminate: boolean;
  restart: ChangeAction;
  terminate: ChangeAction;
};

/**
 * What may be done to the machine by whoever looks; terminate last. An address with `?ask=terminate` opens its dialog; with `then=relaunch` the launch of its
 * like follows.
 */
export function InstanceActions({ question, canRestart, canTerminate, restart, terminate }: Props) {
  const { data } = useLive(instanceQuery(question));
  const given = useSearchParams();
  const asked = given.get("ask");
  const next = given.get("then") === "relaunch" ? (`/launch?like=${question.instanceId}` as Route) : undefined;
  const { row } = data;
  if (row.isGone || row.status === "terminated" || row.status === "preempted") return null;
  return (
    <>
      {canRestart && row.status === "active" && (
        <ChangeDialog
          instanceId={row.id}
          name={row.name}
          kind="restart"
          act={restart}
          isOpenAtFirst={asked === "restart"}
        />
      )}
      {canTerminate && row.status !== "terminating" && (
        <ChangeDialog
          instanceId={row.id}
          name={row.name}
          kind="terminate"
          act={terminate}
          isOpenAtFirst={asked === "terminate"}
          next={next}
        />
      )}
    </>
  );
}
