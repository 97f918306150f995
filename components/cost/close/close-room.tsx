"use client";

import { useLive } from "@/components/page/use-live";
import { Deck, DeckColumn } from "@/components/ui/panel";
import type { CloseAnswer, MonthQuestion, SignPoint, SignReview } from "@/lib/domain/cost/close";
import type { Result } from "@/lib/errors";
import { closeQuery } from "@/lib/queries/close";
import { ChecklistPanel } from "./checklist-panel";
import { ClosedPanel } from "./closed-panel";
import { CorrectionsPanel } from "./corrections-panel";
import { ReviewPanel } from "./review-panel";

export type CloseActs = {
  begin: (input: MonthQuestion) => Promise<Result<{ month: string }>>;
  sign: (input: SignPoint | FormData) => Promise<Result<{ month: string }>>;
  review: (input: SignReview) => Promise<Result<{ signed: number }>>;
  close: (input: MonthQuestion) => Promise<Result<{ contentHash: string; wasClosed: boolean }>>;
};

export type CloseRights = {
  acts: CloseActs;
  /** Why somebody may only look; null: he may act. */
  lock: string | null;
  canExport: boolean;
};

/** The end of a month: what has to be settled, what is doubtful, and what was closed. */
export function CloseRoom({ month, ...rights }: { month: string } & CloseRights) {
  const { data } = useLive(closeQuery({ month }));
  return (
    <Deck className="cost close-room">
      <ChecklistPanel data={data} {...rights} />
      <DeckColumn span={5}>
        <ClosedPanel data={data} {...rights} />
      </DeckColumn>
      {data.review.length > 0 && <ReviewPanel data={data} {...rights} />}
      {data.corrections.count > 0 && <CorrectionsPanel data={data} canExport={rights.canExport} />}
    </Deck>
  );
}

/** Whether somebody can act on the month at all now. */
export function isActive(data: CloseAnswer, lock: string | null): boolean {
  return lock === null && data.isOver && data.status !== "closed";
}
