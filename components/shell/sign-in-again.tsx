"use client";

import type { Route } from "next";
import { usePathname } from "next/navigation";
import { useId, useState, useTransition } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { ROLE_NAMES } from "@/lib/domain/access";
import { signIn } from "@/lib/queries/session";
import { useMe } from "./me";

/** A fresh sign-in over the page, so that nothing that was typed beneath it is lost. */
export function SignInAgain({ onDone }: { onDone: () => void }) {
  const me = useMe();
  const path = usePathname();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isPending, start] = useTransition();
  const door = `/sign-in?again=1&next=${encodeURIComponent(path)}` as Route;
  if (!me)
    return (
      <ButtonLink size="small" href={door}>
        Sign in again
      </ButtonLink>
    );

  const enter = (provider: "password" | "demo", fields: Record<string, string>) =>
    start(async () => {
      setRefusal(null);
      const outcome = await signIn(provider, fields);
      if (!outcome.ok) return setRefusal(outcome.message);
      setOpen(false);
      onDone();
    });
  const { hasPassword, provider } = me.ways;
  return (
    <Dialog
      trigger={<Button size="small">Sign in again</Button>}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open);
        setRefusal(null);
      }}
      title="Sign in again"
      about="This asks for a sign-in of the last 10 minutes. What you typed stays as it is."
      isNarrow
      actions={
        <>
          <DialogClose />
          {me.isOneClick ? (
            <Button look="primary" isPending={isPending} onClick={() => enter("demo", { role: me.role })}>
              Sign in as {ROLE_NAMES[me.role]}
            </Button>
          ) : (
            hasPassword && (
              <Button type="submit" form={id} look="primary" isPending={isPending}>
                Sign in
              </Button>
            )
          )}
        </>
      }
    >
      <div className="grid gap-3">
        {provider !== null && (
          <>
            <p className="text-text-2">
              {provider} asks for the proof in another tab. Come back to this one afterwards and repeat what you did.
            </p>
            <ButtonLink href={door} target="_blank" onClick={() => setOpen(false)}>
              Sign in with {provider}
            </ButtonLink>
          </>
        )}
        {hasPassword && !me.isOneClick && (
          <form
            id={id}
            className="grid gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              // The form beneath hears it too, through React, and would send itself.
              event.stopPropagation();
              const password = String(new FormData(event.currentTarget).get("password"));
              enter("password", { email: me.email, password });
            }}
          >
            <TextField label="E-mail" name="email" type="email" autoComplete="username" value={me.email} readOnly />
            <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
          </form>
        )}
        <div role="alert">{refusal && <Note tone="crit">{refusal}</Note>}</div>
      </div>
    </Dialog>
  );
}
