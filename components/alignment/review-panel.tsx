"use client";

import { PenLine } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { TextAreaField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { REVIEW_POINTS, type ReviewPoint } from "@/lib/domain/alignment/calendar";
import type { SoftwareAnswer } from "@/lib/domain/alignment/view";

export type Sign = Act<{ quarter: string; points: ReviewPoint[]; remark: string }, { id: string }>;

/** The quarterly look at everything that ages, ticked and signed. */
export function ReviewPanel({ data, sign }: { data: SoftwareAnswer; sign: Sign | null }) {
  const signed = data.reviews.find(({ body }) => body.quarter === data.quarter);
  const earlier = data.reviews
    .filter(({ body }) => body.quarter !== data.quarter)
    .sort((a, b) => (a.body.quarter < b.body.quarter ? 1 : -1));
  return (
    <Panel title={`Review of ${data.quarter}`} sub={signed ? "signed" : "not signed yet"}>
      {signed ? (
        <div className="grid gap-2">
          <p>
            <b>{signed.body.signedBy}</b> signed it{" "}
            {signed.body.signedAt !== null && <Instant at={signed.body.signedAt} year />}.
          </p>
          {signed.body.remark && <p className="text-text-2">{signed.body.remark}</p>}
        </div>
      ) : sign ? (
        <Form quarter={data.quarter} dueAt={data.dueAt} sign={sign} />
      ) : (
        <p className="muted">
          Due by <Instant at={data.dueAt} year />. Operators and admins sign it.
        </p>
      )}
      {earlier.length > 0 && (
        <ul className="muted grid gap-1 pt-3">
          {earlier.slice(0, 8).map(({ id, body }) => (
            <li key={id}>
              {body.quarter}: {body.signedBy}
              {body.signedAt !== null && (
                <>
                  , <Instant at={body.signedAt} year />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Form({ quarter, dueAt, sign }: { quarter: string; dueAt: number; sign: Sign }) {
  const [points, setPoints] = useState<ReviewPoint[]>([]);
  const [remark, setRemark] = useState("");
  const { run, isPending, failure } = useAct(sign);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run({ quarter, points, remark }, () => toast("ok", `The review of ${quarter} is signed`));
  };
  return (
    <form className="grid gap-3" onSubmit={submit}>
      <p className="muted">
        Due by <Instant at={dueAt} year />.
      </p>
      <fieldset className="grid gap-2">
        <legend className="sr-only">What was looked at</legend>
        {REVIEW_POINTS.map(({ id, words }) => (
          <Checkbox
            key={id}
            label={words}
            checked={points.includes(id)}
            onChange={(event) =>
              setPoints(event.target.checked ? [...points, id] : points.filter((other) => other !== id))
            }
          />
        ))}
      </fieldset>
      <TextAreaField
        label="Remark"
        name="remark"
        rows={2}
        maxLength={500}
        value={remark}
        onChange={(event) => setRemark(event.target.value)}
        error={failure?.message}
      />
      <div>
        <Button type="submit" look="primary" icon={PenLine} isPending={isPending}>
          Sign the review
        </Button>
      </div>
    </form>
  );
}
