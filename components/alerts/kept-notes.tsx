"use client";

import { BellOff, Clock, Link2, MegaphoneOff } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Instant } from "@/components/ui/time";
import { SILENCE_WORDS, type SilenceKind } from "@/lib/domain/silences/silence";
import { alertQuery } from "@/lib/queries/alerts";

/** Why people hear less of this alert than they would; nothing where all goes its way. */
export function KeptNotes({ alertId }: { alertId: string }) {
  const { data } = useLive(alertQuery({ alertId }));
  const { kept, row } = data;
  if (row.resolvedAt !== null || row.firedAt === null) return null;
  const { silence, explainedBy, ways } = kept;
  return (
    <div className="kept-notes">
      {silence && (
        <Note
          icon={BellOff}
          action={
            <Link className="link" href={"/alerts/silences" as Route}>
              Silences
            </Link>
          }
        >
          <b>Kept back by a silence.</b> {SILENCE_WORDS[silence.kind as SilenceKind]} of {silence.by}, until{" "}
          <Instant at={silence.endsAt} />: {silence.reason}
        </Note>
      )}
      {explainedBy && (
        <Note
          icon={Link2}
          action={
            <Link className="link" href={`/alerts/${explainedBy.alertId}` as Route}>
              Open it
            </Link>
          }
        >
          <b>Kept back: another alert explains it.</b> {explainedBy.rule}. It is told again when {explainedBy.name}{" "}
          ends.
        </Note>
      )}
      {row.snoozedUntil !== null && (
        <Note icon={Clock}>
          <b>Snoozed</b> until <Instant at={row.snoozedUntil} />. Nothing is told of it before; its meter runs on.
        </Note>
      )}
      {ways === 0 && (
        <Note
          tone="warn"
          icon={MegaphoneOff}
          action={
            <Link className="link" href={"/settings/channels" as Route}>
              Channels and routes
            </Link>
          }
        >
          <b>It reaches nobody.</b> No route takes {row.severity} alerts like this one, so only those who look here
          know.
        </Note>
      )}
    </div>
  );
}
