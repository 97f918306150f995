"use client";

import { CircleCheck, Clock, Lock, type LucideIcon, OctagonAlert, PenLine, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import type { ReactNode } from "react";
import { dayWords, monthName } from "@/components/cost/words";
import { FormDialog } from "@/components/settings/form-dialog";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { cx } from "@/components/ui/cx";
import { TextAreaField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { TableLinks } from "@/components/ui/table-links";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { type CloseAnswer, obstacles, type Point } from "@/lib/domain/cost/close";
import { formatCount } from "@/lib/domain/format";
import { CloseDialog } from "./close-dialog";
import { type CloseRights, isActive } from "./close-room";

const ICONS: Record<Point["state"], { icon: LucideIcon; tone: string; word: string }> = {
  done: { icon: CircleCheck, tone: "text-ok", word: "Done" },
  signed: { icon: PenLine, tone: "text-ok", word: "Signed" },
  open: { icon: TriangleAlert, tone: "text-warn", word: "Open" },
  blocked: { icon: OctagonAlert, tone: "text-crit", word: "In the way" },
};

/** What only the end of the month can bring is no fault of it. */
const TO_COME = { icon: Clock, tone: "text-text-3", word: "To come" };

/** Where a point is put right. */
function wayOf(id: string, month: string): { href: string; label: string } | null {
  if (id === "uncategorised") return { href: `/cost/allocation?month=${month}`, label: "Allocate" };
  if (id === "unknown") return { href: "/cost/prices", label: "Prices" };
  if (id === "review") return { href: "#review", label: "Look" };
  if (id === "invoices") return { href: `/cost/${month}/invoices`, label: "Differences" };
  if (id === "accrual") return { href: `/cost/${month}/invoices/new`, label: "Enter an invoice" };
  return null;
}

export function ChecklistPanel({ data, acts, lock, canExport }: { data: CloseAnswer } & CloseRights) {
  const name = monthName(data.month, false);
  const left = obstacles(data.points);
  const active = isActive(data, lock);
  const { run, failure, isPending } = useAct(acts.begin);
  const title = data.status === "closed" ? `How ${name} stood when it was closed` : `Before ${name} can close`;
  return (
    <Panel
      span={7}
      title={title}
      sub={data.status === "closed" ? undefined : subOf(data, left.length)}
      isFlush
      actions={
        <>
          {canExport && (
            <TableLinks href={`/api/v1/cost/close?month=${data.month}&table=checklist`} what="The checklist" />
          )}
          {active && data.status === "open" && (
            <Button size="small" isPending={isPending} onClick={() => run({ month: data.month })}>
              Begin closing
            </Button>
          )}
          {active && <CloseDialog data={data} left={left} act={acts.close} />}
        </>
      }
    >
      <Refusal failure={failure} />
      <ul className="close-points" id="close">
        {data.points.map((point) => (
          <PointLine key={point.id} data={data} point={point} isActive={active} acts={acts} />
        ))}
      </ul>
      {data.isOver && data.status !== "closed" && lock !== null && (
        <p className="cost-remark">
          <Lock size={12} aria-hidden="true" /> {lock}
        </p>
      )}
    </Panel>
  );
}

function subOf(data: CloseAnswer, left: number): string {
  if (!data.isOver) return `closes from ${dayWords(data.closesFrom)} in ${data.zone}`;
  return left === 0 ? "nothing is in the way" : `${formatCount(left, "point")} to settle`;
}

type LineProps = { data: CloseAnswer; point: Point; isActive: boolean; acts: CloseRights["acts"] };

function PointLine({ data, point, isActive: active, acts }: LineProps) {
  const { icon: Icon, tone, word } = !data.isOver && point.state === "blocked" ? TO_COME : ICONS[point.state];
  const way =
    data.status !== "closed" && (point.state === "open" || point.state === "blocked")
      ? wayOf(point.id, data.month)
      : null;
  return (
    <li>
      <Icon size={16} className={cx("close-mark", tone)} role="img" aria-label={word} />
      <div className="min-w-0">
        <p>
          <b>{point.title}</b>
        </p>
        <p className="text-text-2">{point.fact}</p>
        {point.signature && (
          <p className="muted">
            Settled by {point.signature.by}, <Instant at={point.signature.at} />: {point.signature.note}
          </p>
        )}
        {point.id === "gaps" && data.gaps.length > 0 && <Gaps data={data} />}
      </div>
      <span className="close-acts">
        {way && (
          <Link href={way.href as Route} className="link">
            {way.label}
          </Link>
        )}
        {active && point.isSignable && point.state === "open" && (
          <Settle data={data} point={point} act={acts.sign}>
            Settle…
          </Settle>
        )}
      </span>
    </li>
  );
}

function Gaps({ data }: { data: CloseAnswer }) {
  return (
    <details className="close-gaps">
      <summary>When</summary>
      <ul>
        {data.gaps.slice(0, 50).map((gap) => (
          <li key={gap.from}>
            <Instant at={gap.from} /> to <Instant at={gap.to} />
          </li>
        ))}
      </ul>
      {data.gaps.length > 50 && <p>and {data.gaps.length - 50} more</p>}
    </details>
  );
}

type SettleProps = { data: CloseAnswer; point: Point; act: CloseRights["acts"]["sign"]; children: ReactNode };

function Settle({ data, point, act, children }: SettleProps) {
  return (
    <FormDialog
      trigger={
        <Button size="small" aria-label={`Settle: ${point.title}`}>
          {children}
        </Button>
      }
      title={point.title}
      about={`${point.fact}. If this changes before the close, it is asked again.`}
      word="Settle"
      act={act}
      fields={["note"]}
      hidden={{ month: data.month, point: point.id, fact: point.fact }}
      onDone={() => toast("ok", "Settled")}
    >
      {(failure) => (
        <TextAreaField
          label="Why this is all right"
          name="note"
          required
          minLength={3}
          maxLength={500}
          error={failure?.fields.note}
        />
      )}
    </FormDialog>
  );
}
