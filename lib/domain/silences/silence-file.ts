import { z } from "zod";
import { entryIn, type FileEntry, into, type Plan, planSection } from "@/lib/domain/alerts/file-plan";
import { matcherText, parseMatchers } from "./matchers";
import { NewSilence } from "./silence";

const ORDER = ["kind", "match", "reason", "ticket", "from", "to", "recurrence"];
const DEFAULTS: FileEntry = { kind: "silence", ticket: null, recurrence: null };

/** A silence as the file has it; instants in UTC. */
export function silenceEntry(
  silence: Omit<NewSilence, "matchers"> & { matchers: readonly NewSilence["matchers"][number][] },
): FileEntry {
  const { kind, matchers, reason, ticketUrl, startsAt, endsAt, recurrence } = silence;
  return entryIn(
    ORDER,
    {
      kind,
      match: matcherText(matchers),
      reason,
      ticket: ticketUrl,
      from: new Date(startsAt).toISOString(),
      to: new Date(endsAt).toISOString(),
      recurrence,
    },
    DEFAULTS,
  );
}

const instant = z.iso
  .datetime({ offset: true, error: "is not an instant like 2026-11-20T18:00:00Z" })
  .transform((text) => Date.parse(text));

const Entry = z
  .strictObject({
    kind: z.string().optional(),
    match: z.string().max(8_000),
    reason: z.string(),
    ticket: z.string().nullable().default(null),
    from: instant,
    to: instant,
    recurrence: z.unknown().optional(),
  })
  .transform(({ match, ticket, from, to, ...rest }, issues) => {
    const matchers = parseMatchers(match);
    if (matchers) return { ...rest, matchers, ticketUrl: ticket, startsAt: from, endsAt: to };
    issues.addIssue({ code: "custom", path: ["match"], message: 'is not like instance="gh-1"' });
    return z.NEVER;
  })
  .transform(into(NewSilence))
  .transform((silence) => ({ ...silence, name: nameOf(silence) }));
export type FiledSilence = z.output<typeof Entry>;

/** A silence has no name of its own: what it keeps back, why, and until when. */
function nameOf({
  matchers,
  reason,
  endsAt,
}: Pick<NewSilence, "reason" | "endsAt"> & { matchers: readonly NewSilence["matchers"][number][] }): string {
  return `${matcherText(matchers)} until ${new Date(endsAt).toISOString()}: ${reason}`;
}

/** Which silences a file would place. Those that stand are ended by people, never by a file; one that is over is not placed again. */
export function planSilences(
  entries: readonly FileEntry[],
  existing: readonly (Omit<NewSilence, "matchers"> & {
    id: string;
    matchers: readonly NewSilence["matchers"][number][];
  })[],
  now: number,
): Plan<FiledSilence> {
  const plan = planSection<FiledSilence>({
    of: "silence",
    entries,
    existing: existing.map((silence) => ({ id: silence.id, name: nameOf(silence), entry: silenceEntry(silence) })),
    read: (entry) => Entry.safeParse(entry),
    entryOf: silenceEntry,
    refuse: ({ endsAt }, id) => (id === null && endsAt <= now ? "to: lies in the past" : null),
  });
  // Its beginning is when it was placed: that is no change.
  const changes = plan.diff.changes.map((change) => ({
    ...change,
    ...(change.kind === "changed" && { kind: "same" as const, details: [] }),
  }));
  return { diff: { ...plan.diff, changes }, planned: plan.planned.filter(({ id }) => id === null) };
}
