"use client";

import { useLive } from "@/components/page/use-live";
import { Panel } from "@/components/ui/panel";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { instanceQuery } from "@/lib/queries/fleet";
import { type ProtectAction, ProtectDialog } from "./protect-dialog";

type Props = {
  question: InstancePageQuestion;
  /** Null: this role may not. */
  protect: ProtectAction | null;
  unprotect: ProtectAction | null;
};

/** Whether automation may end the machine, why not, and the way to change that. */
export function ProtectionPanel({ question, protect, unprotect }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { id, name, protection, isGone } = data.row;
  const act = protection ? unprotect : protect;
  if (isGone) return null;
  return (
    <Panel
      title="Protection"
      actions={act && <ProtectDialog instanceId={id} name={name} isOn={protection !== null} act={act} />}
    >
      {protection ? (
        <p>
          No automation ends it. <span className="text-text-2">Reason: {protection.reason || "none given"}.</span>
        </p>
      ) : (
        <p className="muted">None: a policy may end it, where one says so.</p>
      )}
    </Panel>
  );
}
