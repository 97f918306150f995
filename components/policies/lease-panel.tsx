"use client";

import { CalendarClock } from "lucide-react";
import type { Route } from "next";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { useClock, useTimeZone } from "@/components/ui/clock";
import { SelectField, TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatDuration, zoneName } from "@/lib/domain/format-time";
import { fromLocalInput, toLocalInput } from "@/lib/domain/local-input";
import { instanceQuery } from "@/lib/queries/fleet";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export type ExtendLease = Act<{ instanceId: string; until: number | null; reason: string }, { id: string }>;

type Props = {
  question: InstancePageQuestion;
  /** Null: this role may not. */
  extend: ExtendLease | null;
  /** May take a lease away again. */
  canLift: boolean;
};

/** Until when somebody said that it may run. */
export function LeasePanel({ question, extend, canLift }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { row } = data;
  const now = useClock((at) => Math.floor(at / 60_000) * 60_000);
  if (row.isGone || (row.leaseUntil === null && extend === null)) return null;
  return (
    <Panel
      title="Lease"
      actions={
        extend && <Extend instanceId={row.id} until={row.leaseUntil} extend={extend} canLift={canLift} now={now} />
      }
    >
      {row.leaseUntil === null ? (
        <p className="muted">None: no lease policy ends it.</p>
      ) : (
        <Facts
          rows={[
            ["May run until", <Instant key="until" at={row.leaseUntil} />],
            [
              row.leaseUntil > now ? "Ends in" : "Over for",
              <Link key="in" className="name-link" href={"/policies" as Route}>
                {formatDuration(Math.abs(row.leaseUntil - now))}
              </Link>,
            ],
          ]}
        />
      )}
    </Panel>
  );
}

const CHOICES: readonly (readonly [value: string, words: string, ms: number])[] = [
  ["4h", "4 hours more", 4 * HOUR_MS],
  ["1d", "1 day more", DAY_MS],
  ["3d", "3 days more", 3 * DAY_MS],
  ["7d", "1 week more", 7 * DAY_MS],
];

type ExtendProps = { instanceId: string; until: number | null; extend: ExtendLease; canLift: boolean; now: number };

function Extend({ instanceId, until, extend, canLift, now }: ExtendProps) {
  const timeZone = useTimeZone();
  const [how, setHow] = useState("1d");
  const base = Math.max(now, until ?? now);
  const inputOf = (data: FormData) => {
    const choice = CHOICES.find(([value]) => value === how);
    const typed = fromLocalInput(String(data.get("until") ?? ""), timeZone);
    return {
      instanceId,
      until: how === "none" ? null : choice ? base + choice[2] : (typed ?? 0),
      reason: String(data.get("reason") ?? ""),
    };
  };
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={CalendarClock}>
          {until === null ? "Set…" : "Extend…"}
        </Button>
      }
      title={until === null ? "Set a lease" : "Extend the lease"}
      about="When it is over, owners are warned, and an armed lease policy ends the instance. What it announced is taken back."
      word={how === "none" ? "Lift the lease" : until === null ? "Set it" : "Extend it"}
      act={(data: FormData) => extend(inputOf(data))}
      fields={["until", "reason"]}
      onDone={() => toast("ok", how === "none" ? "The lease is lifted" : "The lease is set")}
    >
      {(failure) => (
        <>
          <SelectField
            label="It may run"
            value={how}
            onChange={({ target }) => setHow(target.value)}
            error={how === "at" ? undefined : failure?.fields.until}
          >
            {CHOICES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
            <option value="at">until…</option>
            {canLift && until !== null && <option value="none">without a lease</option>}
          </SelectField>
          {how === "at" && (
            <TextField
              label={`Until, ${zoneName(base, timeZone)}`}
              name="until"
              type="datetime-local"
              required
              defaultValue={toLocalInput(base + DAY_MS, timeZone)}
              error={failure?.fields.until}
            />
          )}
          <TextField label="Why" name="reason" maxLength={500} hint="Optional." error={failure?.fields.reason} />
        </>
      )}
    </FormDialog>
  );
}
