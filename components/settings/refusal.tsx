"use client";

import { lazy, Suspense, useState } from "react";
import { Note } from "@/components/ui/note";
import type { Failure } from "@/lib/errors";

/** Its code comes when somebody needs it. */
const SignInAgain = lazy(async () => ({ default: (await import("@/components/shell/sign-in-again")).SignInAgain }));

/** Why an act was refused, where no field says it; and a fresh sign-in where that is what is missing. */
export function Refusal({ failure, fields = [] }: { failure: Failure | null; fields?: readonly string[] }) {
  const [mended, setMended] = useState<Failure | null>(null);
  const isSignIn = failure?.fields.stepUp === "required" || failure?.code === "unauthenticated";
  const isSaid = failure !== null && fields.some((field) => failure.fields[field] !== undefined);
  const isMended = failure !== null && mended === failure;
  return (
    <div role="alert" className="empty:hidden">
      {isMended && <Note tone="ok">You are signed in again. Nothing you typed was lost; press it once more.</Note>}
      {failure && !isSaid && !isMended && (
        <Note
          tone={isSignIn ? "warn" : "crit"}
          action={
            isSignIn && (
              <Suspense>
                <SignInAgain onDone={() => setMended(failure)} />
              </Suspense>
            )
          }
        >
          {failure.message}
        </Note>
      )}
    </div>
  );
}
