import type { Workload } from "@/lib/domain/fleet/workloads";
import type { Saved } from "@/lib/domain/saved";

export const CHECKLIST_ITEMS_MOST = 20;

export type ChecklistItem = {
  text: string;
  /** Nothing is ended until it is ticked. */
  isRequired: boolean;
};

/** What is to be looked at before a machine ends: for everybody, a team, a workload, or both. */
export type Checklist = { team: string; workload: Workload | null; items: ChecklistItem[] };

const CHECKPOINTS = { text: "Checkpoints are copied to a file system or a bucket", isRequired: false };
const NOTEBOOKS = { text: "Notebooks and code are saved elsewhere", isRequired: false };
const RESULTS = { text: "Results and logs are copied", isRequired: false };

/** What is asked where nobody wrote a list. */
export const DEFAULT_ITEMS: Record<Workload, ChecklistItem[]> = {
  training: [CHECKPOINTS, { text: "The run has ended, or was told to stop", isRequired: false }, RESULTS],
  inference: [{ text: "Traffic goes elsewhere", isRequired: false }],
  batch: [{ text: "The queue is empty, or its jobs run elsewhere", isRequired: false }, RESULTS],
  dev: [NOTEBOOKS],
  unknown: [CHECKPOINTS, NOTEBOOKS],
};

/** The list that a machine's end goes by, and whose it is. */
export type ChosenChecklist = { name: string; items: ChecklistItem[] };

/** The closest list holds: of its team and workload, of its team, of its workload, of everybody; else what is usual for the work. */
export function checklistFor(
  labels: { team: string; workload: Workload },
  kept: readonly { name: string; body: Checklist }[],
): ChosenChecklist {
  const fits = kept
    .filter(
      ({ body }) =>
        (body.team === "" || body.team.toLowerCase() === labels.team.toLowerCase()) &&
        (body.workload === null || body.workload === labels.workload),
    )
    .sort((a, b) => closeness(b.body) - closeness(a.body) || (a.name < b.name ? -1 : 1));
  const [closest] = fits;
  return closest
    ? { name: closest.name, items: closest.body.items }
    : { name: "Usual points", items: DEFAULT_ITEMS[labels.workload] };
}

function closeness({ team, workload }: Checklist): number {
  return (team === "" ? 0 : 2) + (workload === null ? 0 : 1);
}

/** Points that must be ticked and are not. */
export function unticked(items: readonly ChecklistItem[], ticked: readonly string[]): string[] {
  return items.filter(({ text, isRequired }) => isRequired && !ticked.includes(text)).map(({ text }) => text);
}

export type ChecklistsAnswer = {
  now: number;
  rows: Saved<Checklist>[];
  /** What is asked where no list fits, by workload. */
  usual: Record<Workload, ChecklistItem[]>;
};
