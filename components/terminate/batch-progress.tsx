"use client";

import { CircleArrowDown, CircleCheck, CircleDashed, CircleX, Send, UserCheck, X } from "lucide-react";
import type { Route } from "next";
import { useVerb } from "@/components/alerts/use-verb";
import { useLive } from "@/components/page/use-live";
import { Refusal } from "@/components/settings/refusal";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { Age, ClockTime } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsd } from "@/lib/domain/format";
import type { BatchRow, BatchProgress as Progress } from "@/lib/domain/intents/batch";
import type { Result } from "@/lib/errors";
import { batchQuery } from "@/lib/queries/intents";

const STAGES = {
  approval: { word: "Waits for a second person", tone: "info", icon: UserCheck },
  queued: { word: "In the queue", tone: "mute", icon: CircleDashed },
  sent: { word: "Sent", tone: "info", icon: Send },
  accepted: { word: "Shutting down", tone: "warn", icon: CircleArrowDown },
  gone: { word: "Gone", tone: "ok", icon: CircleCheck },
  failed: { word: "Not ended", tone: "crit", icon: CircleX },
} as const;

type Props = {
  batchId: string;
  /** Null: this role may not take it back. */
  cancel: ((input: { intentId: string }) => Promise<Result<{ id: string }>>) | null;
};

/** The queue of one batch: where each machine stands, and when its turn comes. */
export function BatchProgress({ batchId, cancel }: Props) {
  const { data } = useLive(batchQuery(batchId));
  const at = (stage: BatchRow["stage"]) => data.rows.filter((row) => row.stage === stage).length;
  const isOver = data.rows.every(({ stage }) => stage === "gone" || stage === "failed");
  const isWaiting = at("approval") > 0;
  return (
    <>
      <PageTitle
        title={`Terminate ${formatCount(data.rows.length, "instance")}`}
        badges={
          isOver ? (
            <Badge tone={at("failed") > 0 ? "warn" : "ok"}>
              {at("failed") > 0 ? "Over, not all ended" : "All gone"}
            </Badge>
          ) : (
            <Badge tone="info">Under way</Badge>
          )
        }
        meta={
          <>
            <span>
              asked for by {data.by} <Age at={data.at} />
            </span>
            {data.reason && <span>“{data.reason}”</span>}
            <span>{summary(data)}</span>
          </>
        }
        actions={
          isWaiting ? (
            <ButtonLink icon={UserCheck} href={"/approvals" as Route}>
              Approvals
            </ButtonLink>
          ) : undefined
        }
      />
      <Deck>
        <Panel span={12} isFlush>
          <Table label="Instances of this batch">
            <thead>
              <tr>
                <th scope="col">Instance</th>
                <th scope="col">Stage</th>
                <th scope="col">What is known</th>
                <th scope="col" className="num">
                  Its turn
                </th>
                <th scope="col" className="num">
                  $ / h
                </th>
                <th scope="col">
                  <span className="sr-only">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <Row key={row.intentId} row={row} cancel={cancel} />
              ))}
            </tbody>
          </Table>
        </Panel>
      </Deck>
      <p className="page-remark">
        Lambda takes about one request a second; each end is one look and one request, and is repeated until the machine
        is gone. Billing stops when Lambda accepts.
      </p>
    </>
  );
}

function summary({ rows, doneAt }: Progress) {
  const gone = rows.filter(({ stage }) => stage === "gone").length;
  const failed = rows.filter(({ stage }) => stage === "failed").length;
  return (
    <>
      {gone} of {rows.length} gone
      {failed > 0 && `, ${failed} not ended`}
      {doneAt !== null && (
        <>
          , the last is sent about <ClockTime at={doneAt} />
        </>
      )}
    </>
  );
}

function Row({ row, cancel }: { row: BatchRow; cancel: Props["cancel"] }) {
  const { word, tone, icon } = STAGES[row.stage];
  return (
    <tr>
      <th scope="row">
        {row.instanceId === null ? (
          row.name
        ) : (
          <Link className="name-link" href={`/fleet/${row.instanceId}` as Route}>
            {row.name}
          </Link>
        )}
      </th>
      <td>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </td>
      <td className="text-text-2">{row.words}</td>
      <td className="num">
        {row.etaAt === null ? <Missing reason="it does not wait for a turn" /> : <ClockTime at={row.etaAt} />}
      </td>
      <td className="num">
        {row.microsPerHour === null ? <Missing reason="the price is unknown" /> : formatUsd(row.microsPerHour)}
      </td>
      <td className="num">{cancel && row.isCancellable && <TakeBack row={row} cancel={cancel} />}</td>
    </tr>
  );
}

function TakeBack({ row, cancel }: { row: BatchRow; cancel: NonNullable<Props["cancel"]> }) {
  const verb = useVerb(cancel, () => toast("ok", "Taken back", `${row.name} stays.`));
  return (
    <>
      <Button
        size="small"
        icon={X}
        isPending={verb.isPending}
        aria-label={`Take back the end of ${row.name}`}
        onClick={() => verb.run({ intentId: row.intentId })}
      >
        Take back
      </Button>
      <Refusal failure={verb.failure} />
    </>
  );
}
