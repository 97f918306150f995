"use client";

import type { Route } from "next";
import { useId, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextAreaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { RowCheckbox } from "@/components/ui/row-checkbox";
import { Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { CloseAnswer, ReviewItem } from "@/lib/domain/cost/close";
import { formatCount, formatUsd, formatUsdChange } from "@/lib/domain/format";
import { type CloseRights, isActive } from "./close-room";

/** Lives that nobody can be sure of: each is looked at, and signed off with a note. */
export function ReviewPanel({ data, acts, lock, canExport }: { data: CloseAnswer } & CloseRights) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const open = data.review.filter(({ signature }) => signature === null);
  const canSign = isActive(data, lock) && open.length > 0;
  const picked = open.filter(({ resourceId }) => chosen.has(resourceId));
  const toggle = (ids: readonly string[], isOn: boolean) =>
    setChosen((before) => {
      const next = new Set(before);
      for (const id of ids) isOn ? next.add(id) : next.delete(id);
      return next;
    });
  return (
    <Panel
      span={12}
      isFlush
      title="To review"
      sub="flagged, or wider than a dollar"
      actions={
        <>
          {canExport && <TableLinks href={`/api/v1/cost/close?month=${data.month}`} what="Lives to review" />}
          {canSign && (
            <SignOff month={data.month} items={picked} act={acts.review} onDone={() => setChosen(new Set())} />
          )}
        </>
      }
    >
      <div id="review">
        <Table label="Lives to review" isDense>
          <thead>
            <tr>
              {canSign && (
                <th scope="col">
                  <RowCheckbox
                    label="all that are open"
                    checked={picked.length === 0 ? false : picked.length === open.length ? true : "some"}
                    onChange={(isOn) =>
                      toggle(
                        open.map(({ resourceId }) => resourceId),
                        isOn,
                      )
                    }
                  />
                </th>
              )}
              <th scope="col">Name</th>
              <th scope="col">Team</th>
              <th scope="col">Why</th>
              <th scope="col" className="num">
                Cost
              </th>
              <th scope="col" className="num">
                Bounds
              </th>
              <th scope="col">Signed off</th>
            </tr>
          </thead>
          <tbody>
            {data.review.map((item) => (
              <ReviewLine
                key={item.resourceId}
                item={item}
                {...(canSign && {
                  isChosen: chosen.has(item.resourceId),
                  onChoose: (isOn: boolean) => toggle([item.resourceId], isOn),
                })}
              />
            ))}
          </tbody>
        </Table>
      </div>
    </Panel>
  );
}

type LineProps = { item: ReviewItem; isChosen?: boolean; onChoose?: (isOn: boolean) => void };

function ReviewLine({ item, isChosen = false, onChoose }: LineProps) {
  const micros = BigInt(item.micros);
  return (
    <tr>
      {onChoose && (
        <td>{item.signature === null && <RowCheckbox label={item.name} checked={isChosen} onChange={onChoose} />}</td>
      )}
      <th scope="row">
        <Link href={`/fleet/${item.resourceId}` as Route} className="link">
          {item.name}
        </Link>{" "}
        <span className="muted">{item.typeName ?? "storage"}</span>
      </th>
      <td>{item.team || <span className="muted">unallocated</span>}</td>
      <td className="close-why">
        {item.evidence ? (
          <>
            Beginning: {item.evidence.from}. End: {item.evidence.to}.
          </>
        ) : (
          "part of its readings is missing"
        )}
      </td>
      <td className="num">{formatUsd(micros)}</td>
      <td className="num nowrap">
        {formatUsdChange(BigInt(item.lowMicros) - micros)}, {formatUsdChange(BigInt(item.highMicros) - micros)}
      </td>
      <td className="close-why">
        {item.signature ? (
          <>
            {item.signature.by}, <Instant at={item.signature.at} />: {item.signature.note}
          </>
        ) : (
          <span className="text-warn">open</span>
        )}
      </td>
    </tr>
  );
}

type SignOffProps = {
  month: string;
  items: readonly ReviewItem[];
  act: CloseRights["acts"]["review"];
  onDone: () => void;
};

function SignOff({ month, items, act, onDone }: SignOffProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { run, failure, isPending, clear } = useAct(act);
  return (
    <Dialog
      trigger={
        <Button
          size="small"
          disabled={items.length === 0}
          title={items.length === 0 ? "Select lives first" : undefined}
        >
          Sign off{items.length > 0 ? ` ${items.length}` : ""}…
        </Button>
      }
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        clear();
      }}
      title={`Sign off ${formatCount(items.length, "life", "lives")}`}
      about="With the amount and the bounds that you see. Where they change, it is asked again."
      isNarrow
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button type="submit" form={id} look="primary" isPending={isPending}>
            Sign off
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const note = String(new FormData(event.currentTarget).get("note") ?? "");
          const signed = items.map(({ resourceId, fact }) => ({ resourceId, fact }));
          run({ month, items: signed, note }, (done) => {
            setOpen(false);
            onDone();
            toast("ok", `${formatCount(done.signed, "life", "lives")} signed off`);
          });
        }}
      >
        <TextAreaField
          label="Why the amount is right"
          name="note"
          required
          minLength={3}
          maxLength={500}
          error={failure?.fields.note}
        />
        <Refusal failure={failure} fields={["note"]} />
      </form>
    </Dialog>
  );
}
