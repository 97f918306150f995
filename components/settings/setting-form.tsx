"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Failure } from "@/lib/errors";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type Props<T> = {
  act: Act<FormData, T>;
  fields: readonly string[];
  done: string;
  /** Why this person may not change it; null where they may. */
  locked: string | null;
  /** Secrets do not stay in the fields. */
  isCleared?: boolean;
  children: (failure: Failure | null) => ReactNode;
};

/** A few values with one button. Whoever may not change them sees them, and who may. */
export function SettingForm<T>({ act, fields, done, locked, isCleared = false, children }: Props<T>) {
  const { run, failure, isPending } = useAct(act);
  return (
    <form
      className="grid max-w-[520px] gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        run(new FormData(form), () => {
          if (isCleared) form.reset();
          toast("ok", done);
        });
      }}
    >
      <fieldset className="contents" disabled={locked !== null}>
        {children(failure)}
      </fieldset>
      <Refusal failure={failure} fields={fields} />
      {locked === null ? (
        <div>
          <Button type="submit" look="primary" isPending={isPending}>
            Save
          </Button>
        </div>
      ) : (
        <p className="muted">{locked}</p>
      )}
    </form>
  );
}
