import type { Happening, LimitTone } from "@/components/charts/types";
import type { EventsAnswer } from "@/lib/domain/events/view";

export type EventMark = { key: string; at: number; tone: LimitTone; text: string; title: string };

const TONES = { critical: "crit", warning: "warn", info: "neutral" } as const;

/** Xid incidents, deploys and notes as marks on the page's time axis, oldest first. */
export function eventMarks({
  incidents,
  notes,
  deploys,
}: Pick<EventsAnswer, "incidents" | "notes" | "deploys">): EventMark[] {
  return [
    ...incidents.map(({ id, from, severity, codes, title, headline }) => ({
      key: `xid ${id}`,
      at: from,
      tone: TONES[severity],
      text: `Xid ${codes.map(({ code }) => code).join(", ")}`,
      title: `${title}: ${headline}`,
    })),
    ...notes.map(({ id, at, text, by }) => ({
      key: `note ${id}`,
      at,
      tone: "neutral" as const,
      text,
      title: `${text}, ${by}`,
    })),
    ...deploys.map(({ id, at, name, by }) => ({
      key: `deploy ${id}`,
      at,
      tone: "neutral" as const,
      text: name,
      title: `Deploy: ${name}, ${by}`,
    })),
  ].sort((a, b) => a.at - b.at);
}

/** The same for a chart, which only draws that there was something; the panels below tell what. */
export function happenings(answer: EventsAnswer): Happening[] {
  return eventMarks(answer).map(({ at, tone }) => ({ at, tone }));
}
