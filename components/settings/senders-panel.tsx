"use client";

import { Link2 } from "lucide-react";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { SelectField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import type { Sender, SourcesAnswer } from "@/lib/domain/sources";
import { sourcesQuery } from "@/lib/queries/settings";
import { FormDialog } from "./form-dialog";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props = {
  assign: Act<FormData, { id: string }>;
  dismiss: Act<{ sourceId: string; isDismissed: boolean }, { id: string }>;
  /** Why this person may not; null where they may. */
  locked: string | null;
  span?: Span;
};

/** Machines that send with a shared token and match no instance: each waits for somebody to say whose it is. */
export function SendersPanel({ assign, dismiss, locked, span }: Props) {
  const { data } = useLive(sourcesQuery());
  const [showsDismissed, setShowsDismissed] = useState(false);
  const { run, failure, isPending } = useAct(dismiss);
  const open = data.senders.filter((sender) => !sender.isDismissed);
  const dismissed = data.senders.length - open.length;
  const shown = showsDismissed ? data.senders : open;
  return (
    <Panel
      title="Unassigned senders"
      sub="they report, and match no instance by host name or address"
      actions={
        dismissed > 0 && (
          <Button size="small" look="ghost" onClick={() => setShowsDismissed(!showsDismissed)}>
            {showsDismissed ? "Hide dismissed" : `Show ${dismissed} dismissed`}
          </Button>
        )
      }
      isFlush
      {...(span && { span })}
    >
      {shown.length === 0 ? (
        <p className="muted panel-words">Nobody waits. Every machine that sends telemetry belongs to an instance.</p>
      ) : (
        <Table label="Unassigned senders">
          <thead>
            <tr>
              <th scope="col">Host name</th>
              <th scope="col">Address</th>
              <th scope="col">GPUs</th>
              <th scope="col">Token</th>
              <th scope="col" className="num">
                First seen
              </th>
              <th scope="col" className="num">
                Last report
              </th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((sender) => (
              <tr key={sender.id}>
                <th scope="row" className="font-medium">
                  {sender.hostname}
                </th>
                <td className="mono">{sender.ip ?? <span className="muted">not said</span>}</td>
                <td>{gpusOf(sender)}</td>
                <td>{sender.tokenName}</td>
                <td className="num">
                  <Age at={sender.firstSeenAt} />
                </td>
                <td className="num">
                  <Age at={sender.lastReceivedAt} />
                </td>
                <td>
                  {locked === null && (
                    <span className="row-actions">
                      {!sender.isDismissed && (
                        <AssignDialog sender={sender} instances={data.instances} assign={assign} />
                      )}
                      <Button
                        size="small"
                        look="ghost"
                        isPending={isPending}
                        onClick={() => run({ sourceId: sender.id, isDismissed: !sender.isDismissed })}
                      >
                        {sender.isDismissed ? "Put back" : "Dismiss"}
                      </Button>
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {failure && (
        <div className="panel-words">
          <Refusal failure={failure} />
        </div>
      )}
      {locked !== null && shown.length > 0 && <p className="muted panel-words">{locked}</p>}
    </Panel>
  );
}

type AssignProps = { sender: Sender; instances: SourcesAnswer["instances"]; assign: Props["assign"] };

function AssignDialog({ sender, instances, assign }: AssignProps) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Link2}>
          Assign…
        </Button>
      }
      title={`Whose is ${sender.hostname}?`}
      about="What it sent in the last 48 hours, and all that it sends from now on, counts for the instance. This cannot be taken back."
      word="Assign"
      act={assign}
      fields={["instanceId"]}
      hidden={{ sourceId: sender.id }}
      onDone={() =>
        toast("ok", `${sender.hostname} is assigned`, "The fleet’s charts take in its samples within a minute.")
      }
    >
      {(failure) => (
        <SelectField label="Instance" name="instanceId" required defaultValue="" error={failure?.fields.instanceId}>
          <option value="" disabled>
            Choose an instance
          </option>
          {instances.map(({ id, name, typeName, ip }) => (
            <option key={id} value={id}>
              {[name, typeName, ip].filter(Boolean).join(" · ")}
            </option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  );
}

function gpusOf({ gpus, error }: Sender): string {
  if (gpus.length === 0) return error ?? "none yet";
  const models = [...new Set(gpus)];
  return models.length === 1 ? `${gpus.length} × ${models[0]}` : formatCount(gpus.length, "GPU");
}
