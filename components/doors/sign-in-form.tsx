"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { ROLE_NAMES, ROLES } from "@/lib/domain/access";
import { signIn } from "@/lib/queries/session";

/** Where to go after signing in; only to a page of our own. */
export function SignInForm({ next, isOneClick, email = "" }: { next: Route; isOneClick: boolean; email?: string }) {
  const router = useRouter();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isPending, start] = useTransition();

  const enter = (provider: "password" | "demo", fields: Record<string, string>) =>
    start(async () => {
      setRefusal(null);
      const outcome = await signIn(provider, fields);
      if (!outcome.ok) return setRefusal(outcome.message);
      router.replace(next);
      router.refresh();
    });

  return (
    <div className="grid gap-5">
      {isOneClick && (
        <section className="grid gap-2" aria-label="Demo roles">
          <p className="text-text-2">Look around as</p>
          <div className="flex flex-wrap gap-2">
            {ROLES.toReversed().map((role) => (
              <Button key={role} isPending={isPending} onClick={() => enter("demo", { role })}>
                {ROLE_NAMES[role]}
              </Button>
            ))}
          </div>
          <p className="muted">One click, no password: only in the demo, and only from this machine.</p>
        </section>
      )}
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          enter("password", { email: String(form.get("email")), password: String(form.get("password")) });
        }}
      >
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required defaultValue={email} />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        <div role="alert">{refusal && <Note tone="crit">{refusal}</Note>}</div>
        <Button type="submit" look="primary" isPending={isPending}>
          Sign in
        </Button>
      </form>
    </div>
  );
}
