"use client";

import { Pencil, Plus, Send } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Panel, type Span } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import { type TargetRow, type TargetsAnswer, type TargetTest, testWords } from "@/lib/domain/targets";
import { connectionQuery, targetsQuery } from "@/lib/queries/settings";
import { Confirm } from "./confirm";
import { FormDialog } from "./form-dialog";
import { Refusal } from "./refusal";
import { TARGET_FIELDS, TargetFields } from "./target-fields";
import { type Act, useAct } from "./use-act";

type Props = {
  create: Act<FormData, { id: string }>;
  change: Act<FormData, { id: string }>;
  turn: Act<{ targetId: string; isEnabled: boolean }, { id: string }>;
  remove: Act<{ targetId: string }, { id: string }>;
  test: Act<{ targetId: string }, TargetTest>;
  /** Why this person may not; null where they may. */
  locked: string | null;
  span?: Span;
};

/** Metrics pages that the worker fetches, and what came of the last try. */
export function TargetsPanel({ create, change, turn, remove, test, locked, span }: Props) {
  const { data } = useLive(targetsQuery());
  const { data: connection } = useLive(connectionQuery());
  return (
    <Panel
      title="Targets"
      sub="metrics pages that are fetched from here"
      actions={
        locked === null && (
          <FormDialog
            trigger={
              <Button size="small" icon={Plus}>
                New target
              </Button>
            }
            title="New target"
            about="The worker fetches this page, as Prometheus would, and stores what it says of GPUs and of workloads."
            word="Add"
            act={create}
            fields={TARGET_FIELDS}
            onDone={() => toast("ok", "The target is added", "Its first page is fetched within seconds.")}
          >
            {(failure) => <TargetFields instances={data.instances} failure={failure} />}
          </FormDialog>
        )
      }
      isFlush
      {...(span && { span })}
    >
      {data.targets.length === 0 ? (
        <p className="muted panel-words">
          None. A machine that runs dcgm-exporter, nvidia_gpu_exporter or a model server can be fetched instead of
          sending.
        </p>
      ) : (
        <Table label="Targets">
          <thead>
            <tr>
              <th scope="col">Target</th>
              <th scope="col">Last fetch</th>
              <th scope="col">Instance</th>
              <th scope="col" className="num">
                Every
              </th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.targets.map((target) => (
              <tr key={target.id}>
                <th scope="row" className="py-2 font-normal leading-snug">
                  <span className="font-medium">{target.name}</span>{" "}
                  {!target.isEnabled && <Badge tone="mute">Off</Badge>}
                  <div className="mono muted max-w-[340px] truncate max-[700px]:max-w-[150px]" title={target.url}>
                    {target.url}
                  </div>
                </th>
                <td className="is-wrapping">
                  <LastFetch target={target} />
                </td>
                <td>
                  <Belongs target={target} />
                </td>
                <td className="num">{formatDuration(target.everySeconds * 1000)}</td>
                <td>
                  {locked === null && (
                    <TargetActs target={target} instances={data.instances} {...{ change, turn, remove, test }} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <p className="muted panel-words">
        {locked ??
          "Private networks are fetched only where OUTBOUND_PRIVATE_CIDRS allows them. Credentials are kept encrypted and never shown again."}{" "}
        A Prometheus, Grafana Alloy, Vector or OpenTelemetry Collector that is there already sends what it has, by
        remote write with an ingest token as its bearer, to{" "}
        <span className="mono break-all">{connection.publicUrl}/api/v1/write</span>.
      </p>
    </Panel>
  );
}

function Belongs({ target: { instanceId, instanceName } }: { target: TargetRow }) {
  if (instanceId === null) return <span className="muted">unassigned</span>;
  return <Link href={`/fleet/${instanceId}` as Route}>{instanceName ?? "a former instance"}</Link>;
}

function LastFetch({ target }: { target: TargetRow }) {
  const { isEnabled, isUnreadable, fetchedAt, receivedAt, error, gpus } = target;
  if (isUnreadable)
    return <Status of="mismatch">Its credential cannot be read: SECRETS_KEY is another one. Enter it again.</Status>;
  if (error !== null)
    return (
      <Status of="mismatch">
        {fetchedAt !== null && (
          <>
            <Age at={fetchedAt} />:{" "}
          </>
        )}
        {error}
      </Status>
    );
  if (!isEnabled) return <span className="muted">switched off</span>;
  if (receivedAt === null) return <Status of="notChecked">None yet</Status>;
  return (
    <Status of="pass">
      <Age at={receivedAt} />, {formatCount(gpus, "GPU")}
    </Status>
  );
}

type ActsProps = Pick<Props, "change" | "turn" | "remove" | "test"> & {
  target: TargetRow;
  instances: TargetsAnswer["instances"];
};

function TargetActs({ target, instances, change, turn, remove, test }: ActsProps) {
  const { id: targetId, name, isEnabled } = target;
  const testing = useAct(test);
  const turning = useAct(turn);
  return (
    <>
      <span className="row-actions">
        <Button
          size="small"
          icon={Send}
          isPending={testing.isPending}
          aria-label={`Fetch ${name} now`}
          onClick={() =>
            testing.run({ targetId }, (found) =>
              toast(found.problem === null ? "ok" : "crit", `${name} was fetched to try it`, testWords(found)),
            )
          }
        >
          Test
        </Button>
        <FormDialog
          trigger={
            <Button size="small" look="ghost" icon={Pencil} aria-label={`Change ${name}`}>
              Change…
            </Button>
          }
          title={`Change ${name}`}
          word="Change"
          act={change}
          fields={TARGET_FIELDS}
          hidden={{ targetId }}
          onDone={() => toast("ok", `${name} is changed`)}
        >
          {(failure) => <TargetFields instances={instances} failure={failure} before={target} />}
        </FormDialog>
        <Button
          size="small"
          look="ghost"
          isPending={turning.isPending}
          aria-label={`Switch ${name} ${isEnabled ? "off" : "on"}`}
          onClick={() => turning.run({ targetId, isEnabled: !isEnabled })}
        >
          {isEnabled ? "Switch off" : "Switch on"}
        </Button>
        <Confirm
          trigger={
            <Button size="small" look="ghost" aria-label={`Remove ${name}`}>
              Remove…
            </Button>
          }
          title={`Remove ${name}?`}
          word="Remove"
          done={`${name} is removed`}
          act={remove}
          input={{ targetId }}
        >
          Its page is fetched no more, and its address and credential are forgotten. What came from it stays.
        </Confirm>
      </span>
      <Refusal failure={testing.failure ?? turning.failure} />
    </>
  );
}
