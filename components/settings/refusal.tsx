"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import type { Failure } from "@/lib/errors";

/** Why an act was refused, where no field says it; and the way to a fresh sign-in where that is what is missing. */
export function Refusal({ failure, fields = [] }: { failure: Failure | null; fields?: readonly string[] }) {
  const path = usePathname();
  const isStepUp = failure?.fields.stepUp === "required";
  const isSaid = failure !== null && fields.some((field) => failure.fields[field] !== undefined);
  return (
    <div role="alert" className="empty:hidden">
      {failure && !isSaid && (
        <Note
          tone={isStepUp ? "warn" : "crit"}
          action={
            isStepUp && (
              <ButtonLink size="small" href={`/sign-in?again=1&next=${encodeURIComponent(path)}` as Route}>
                Sign in again
              </ButtonLink>
            )
          }
        >
          {failure.message}
        </Note>
      )}
    </div>
  );
}
