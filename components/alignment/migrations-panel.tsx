"use client";

import { Check, Siren } from "lucide-react";
import { FormDialog } from "@/components/settings/form-dialog";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { useClock } from "@/components/ui/clock";
import { TextAreaField, TextField } from "@/components/ui/field";
import { Meter } from "@/components/ui/meter";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { SoftwareAnswer } from "@/lib/domain/alignment/view";
import { formatCount } from "@/lib/domain/format";

const DAY_MS = 24 * 3_600_000;
const FIELDS = ["what", "reason"] as const;

type Props = {
  data: SoftwareAnswer;
  start: Act<{ what: string; reason: string }, { id: string }> | null;
  end: Act<{ migrationId: string }, { id: string }> | null;
};

/** What must go at once: four weeks, counted down. */
export function MigrationsPanel({ data, start, end }: Props) {
  const open = data.migrations.filter(({ body }) => body.doneAt === null);
  const done = data.migrations.filter(({ body }) => body.doneAt !== null);
  return (
    <Panel
      title="Emergency migrations"
      sub="four weeks each"
      actions={
        start && (
          <FormDialog
            trigger={
              <Button size="small" icon={Siren}>
                Begin one…
              </Button>
            }
            title="Begin an emergency migration"
            about="For software that lost its support without a warning: four weeks are counted down for everybody to see."
            word="Begin"
            act={(form: FormData) =>
              start({ what: String(form.get("what") ?? ""), reason: String(form.get("reason") ?? "") })
            }
            fields={FIELDS}
            onDone={() => toast("ok", "Four weeks from now", "The countdown stands on this page.")}
          >
            {(failure) => (
              <>
                <TextField
                  label="What must go"
                  name="what"
                  required
                  maxLength={120}
                  placeholder="CUDA 12.1"
                  error={failure?.fields.what}
                />
                <TextAreaField
                  label="Why it cannot wait"
                  name="reason"
                  required
                  minLength={3}
                  maxLength={500}
                  rows={2}
                  error={failure?.fields.reason}
                />
              </>
            )}
          </FormDialog>
        )
      }
    >
      {open.length === 0 && <p className="muted">None is under way.</p>}
      <ul className="grid gap-4">
        {open.map((one) => (
          <Countdown key={one.id} migration={one} end={end} />
        ))}
      </ul>
      {done.length > 0 && (
        <ul className="muted grid gap-1 pt-3">
          {done.slice(0, 5).map(({ id, body }) => (
            <li key={id}>
              {body.what}: over <Instant at={body.doneAt ?? body.startedAt} year />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Countdown({ migration, end }: { migration: SoftwareAnswer["migrations"][number]; end: Props["end"] }) {
  const { body, endsAt, id } = migration;
  const days = useClock((now) => Math.ceil((endsAt - now) / DAY_MS));
  const whole = Math.round((endsAt - body.startedAt) / DAY_MS);
  return (
    <li className="grid gap-1">
      <b>{body.what}</b>
      <span className="countdown">
        {days > 0 ? `${formatCount(days, "day")} left` : `${formatCount(-days, "day")} over`}
      </span>
      <Meter
        value={whole - days}
        max={whole}
        label={`${whole - days} of ${whole} days`}
        tone={days <= 0 ? "crit" : days <= 7 ? "warn" : "neutral"}
      />
      <span className="text-text-2">{body.reason}</span>
      <span className="muted">
        Begun by {body.startedBy}, until <Instant at={endsAt} year />
      </span>
      {end && <EndButton end={end} migrationId={id} />}
    </li>
  );
}

function EndButton({ end, migrationId }: { end: NonNullable<Props["end"]>; migrationId: string }) {
  const { run, isPending, failure } = useAct(end);
  return (
    <span>
      <Button
        size="small"
        icon={Check}
        isPending={isPending}
        onClick={() => run({ migrationId }, () => toast("ok", "The migration is over"))}
      >
        It is done
      </Button>
      {failure && <span className="field-error">{failure.message}</span>}
    </span>
  );
}
