"use client";

import {
  Activity,
  CircleCheck,
  CircleDashed,
  ClockAlert,
  type LucideIcon,
  MessageSquare,
  OctagonAlert,
  RotateCw,
  Undo2,
  UserCheck,
} from "lucide-react";
import { type FormEvent, useRef } from "react";
import { useLive } from "@/components/page/use-live";
import { useTimeZone } from "@/components/ui/clock";
import { TextAreaField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Panel } from "@/components/ui/panel";
import { SubmitButton } from "@/components/ui/submit-button";
import { Instant } from "@/components/ui/time";
import { entryText, type HistoryEntry } from "@/lib/domain/alerts/timeline";
import { zoneName } from "@/lib/domain/format-time";
import { alertQuery } from "@/lib/queries/alerts";
import { useVerb, type Verb } from "./use-verb";
import { When } from "./when";

const ICONS: Record<HistoryEntry["kind"], { icon: LucideIcon; tone: string }> = {
  pending: { icon: CircleDashed, tone: "tone-warn" },
  fired: { icon: OctagonAlert, tone: "tone-crit" },
  unknown: { icon: ClockAlert, tone: "tone-unknown" },
  recovering: { icon: Undo2, tone: "tone-info" },
  resumed: { icon: RotateCw, tone: "tone-warn" },
  repending: { icon: CircleDashed, tone: "tone-warn" },
  resolved: { icon: CircleCheck, tone: "tone-ok" },
  flapping: { icon: Activity, tone: "tone-warn" },
  acknowledged: { icon: UserCheck, tone: "tone-mute" },
  unacknowledged: { icon: Undo2, tone: "tone-mute" },
  commented: { icon: MessageSquare, tone: "tone-mute" },
  reraised: { icon: RotateCw, tone: "tone-warn" },
  assigned: { icon: UserCheck, tone: "tone-mute" },
  snoozed: { icon: ClockAlert, tone: "tone-mute" },
  escalated: { icon: OctagonAlert, tone: "tone-crit" },
  merged: { icon: Undo2, tone: "tone-mute" },
};

type Props = {
  alertId: string;
  /** Null: this role does not comment. */
  comment: Verb<{ alertId: string; note: string }> | null;
};

/** What the evaluator and people did, newest first; and a word to those who come after. */
export function TimelinePanel({ alertId, comment }: Props) {
  const { data } = useLive(alertQuery({ alertId }));
  const timeZone = useTimeZone();
  const { row } = data;
  return (
    <Panel title="Timeline" sub={zoneName(data.now, timeZone)} className="is-timeline">
      {data.history.length === 0 ? (
        <p className="muted">
          It is pending since <Instant at={row.activeAt} />. Its history begins when it fires; if it passes before that,
          nothing is kept of it.
        </p>
      ) : (
        <ol className="timeline">
          {data.history.toReversed().map((entry) => {
            const { icon: Icon, tone } = ICONS[entry.kind];
            const { title, text } = entryText(entry, row, row.resolveReason);
            return (
              <li key={entry.seq}>
                <span className={`status ${tone}`}>
                  <Icon size={14} aria-hidden="true" />
                </span>
                <span className="muted">
                  <When at={entry.at} seconds />
                </span>
                <span className="min-w-0">
                  <b>{title}</b>
                  {entry.actor && ` by ${entry.actor}`}
                  {text && <span className="timeline-text">{text}</span>}
                </span>
              </li>
            );
          })}
        </ol>
      )}
      {comment && row.firedAt !== null && <CommentForm alertId={alertId} verb={comment} />}
    </Panel>
  );
}

function CommentForm({ alertId, verb }: { alertId: string; verb: NonNullable<Props["comment"]> }) {
  const form = useRef<HTMLFormElement>(null);
  const say = useVerb(verb, () => form.current?.reset());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    say.run({ alertId, note: String(new FormData(event.currentTarget).get("note") ?? "") });
  };
  return (
    <form ref={form} className="comment-form" onSubmit={submit}>
      {say.failure && !say.failure.fields.note && (
        <Note tone="crit">
          <b>The comment was not written.</b> {say.failure.message}
        </Note>
      )}
      <TextAreaField
        label="Comment"
        isLabelHidden
        name="note"
        rows={2}
        maxLength={1000}
        placeholder="What you found, for whoever looks next"
        error={say.failure?.fields.note}
      />
      <SubmitButton look="secondary" icon={MessageSquare} isPending={say.isPending}>
        Comment
      </SubmitButton>
    </form>
  );
}
