import { Note } from "@/components/ui/note";
import { Age } from "@/components/ui/time";
import type { InboxAnswer } from "@/lib/domain/alerts/view";
import { formatCount } from "@/lib/domain/format";

/** Why what is listed may not be the whole truth. */
export function InboxNotes({ data }: { data: InboxAnswer }) {
  const { evaluator, omitted } = data;
  return (
    <>
      {evaluator.late > 0 && (
        <Note tone="warn">
          <b>Alerts may be late.</b> {evaluator.late} of {formatCount(evaluator.rules, "rule")}{" "}
          {evaluator.late === 1 ? "was" : "were"} not judged in time
          {evaluator.judgedAt !== null && (
            <>
              ; the last was <Age at={evaluator.judgedAt} />
            </>
          )}
          . What is listed is the last known; nothing was resolved meanwhile.
        </Note>
      )}
      {evaluator.failing > 0 && (
        <Note tone="warn">
          <b>{formatCount(evaluator.failing, "rule")} could not be judged.</b> Its alerts keep their state. Rules says
          what went wrong.
        </Note>
      )}
      {omitted > 0 && (
        <Note>
          <b>{formatCount(omitted, "alert")} more are not listed.</b> Open and severe ones come first.
        </Note>
      )}
    </>
  );
}
