"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { ROLE_NAMES, ROLES } from "@/lib/domain/access";
import type { SignInWays } from "@/lib/domain/oidc";
import { leaveForProvider, signIn } from "@/lib/queries/session";

type Props = {
  /** Where to go after signing in; only to a page of our own. */
  next: Route;
  isOneClick: boolean;
  /** Somebody who is signed in must prove who they are. */
  isAgain: boolean;
  ways: SignInWays;
  /** Why they came back from the identity provider without being let in. */
  refused: string | null;
};

export function SignInForm({ next, isOneClick, isAgain, ways, refused }: Props) {
  const router = useRouter();
  const [refusal, setRefusal] = useState(refused);
  const [isPending, start] = useTransition();
  const [isGlass, setGlass] = useState(false);
  const isForm = ways.hasPassword || isGlass;

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
      {ways.provider !== null && (
        <Button
          look="primary"
          isPending={isPending}
          onClick={() =>
            start(async () => {
              setRefusal(null);
              const outcome = await leaveForProvider(next, isAgain);
              if (!outcome.ok) setRefusal(outcome.message);
            })
          }
        >
          Sign in with {ways.provider}
        </Button>
      )}
      {!isForm && <div role="alert">{refusal && <Note tone="crit">{refusal}</Note>}</div>}
      {ways.hasGlass && !isGlass && (
        <button type="button" className="link justify-self-start text-12" onClick={() => setGlass(true)}>
          Use the break-glass account
        </button>
      )}
      {isForm && (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            enter("password", { email: String(form.get("email")), password: String(form.get("password")) });
          }}
        >
          {isGlass && (
            <p className="text-text-2">Its use is written down, and everybody who is on call is told at once.</p>
          )}
          <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
          <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
          <div role="alert">{refusal && <Note tone="crit">{refusal}</Note>}</div>
          <Button type="submit" look={ways.provider === null ? "primary" : "secondary"} isPending={isPending}>
            {ways.provider === null ? "Sign in" : "Sign in with a password"}
          </Button>
        </form>
      )}
    </div>
  );
}
