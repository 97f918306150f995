"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Loading } from "@/components/ui/states";
import { ROLE_NAMES, type Role } from "@/lib/domain/access";
import type { Result } from "@/lib/errors";
import { signIn } from "@/lib/queries/session";

type Props = {
  look: (input: { token: string }) => Promise<Result<{ role: Role } | null>>;
  accept: (input: {
    token: string;
    name: string;
    email: string;
    password: string;
  }) => Promise<Result<{ email: string }>>;
};

type Invite = { state: "reading" } | { state: "none"; message: string } | { state: "open"; token: string; role: Role };

const ENDED = "This link was used already, has run out, or is cut short. Ask an admin for a new one.";

/** The invitation's secret stands after the # of the address, which browsers do not send. */
export function WelcomeForm({ look, accept }: Props) {
  const router = useRouter();
  const [invite, setInvite] = useState<Invite>({ state: "reading" });
  const [fields, setFields] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isPending, start] = useTransition();

  useEffect(() => {
    const token = window.location.hash.slice(1);
    let isGone = false;
    look({ token }).then(
      (result) => {
        if (isGone) return;
        if (!result.ok) setInvite({ state: "none", message: result.error.message });
        else if (!result.data) setInvite({ state: "none", message: ENDED });
        else setInvite({ state: "open", token, role: result.data.role });
      },
      () => setInvite({ state: "none", message: "The server did not answer. The link is not used up; open it again." }),
    );
    return () => {
      isGone = true;
    };
  }, [look]);

  if (invite.state === "reading") return <Loading rows={4} />;
  if (invite.state === "none") {
    return (
      <div className="grid gap-3">
        <Note tone="warn">{invite.message}</Note>
        <ButtonLink href={"/sign-in" as Route}>To sign-in</ButtonLink>
      </div>
    );
  }
  const submit = (form: FormData) =>
    start(async () => {
      const read = (name: string) => String(form.get(name) ?? "");
      const person = { name: read("name"), email: read("email"), password: read("password") };
      setFields({});
      setRefusal(null);
      const result = await accept({ token: invite.token, ...person });
      if (!result.ok) {
        setFields(result.error.fields);
        setRefusal(Object.keys(result.error.fields).length > 0 ? null : result.error.message);
        return;
      }
      const outcome = await signIn("password", { email: result.data.email, password: person.password });
      router.replace((outcome.ok ? "/" : "/sign-in") as Route);
      router.refresh();
    });
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit(new FormData(event.currentTarget));
      }}
    >
      <Note tone="info">
        You come as <b>{ROLE_NAMES[invite.role]}</b>. The link works once.
      </Note>
      <TextField label="Name" name="name" autoComplete="name" required maxLength={80} error={fields.name} />
      <TextField label="E-mail" name="email" type="email" autoComplete="username" required error={fields.email} />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={128}
        hint="At least 12 characters; a sentence is good."
        error={fields.password}
      />
      <div role="alert">{refusal && <Note tone="crit">{refusal}</Note>}</div>
      <Button type="submit" look="primary" isPending={isPending}>
        Create account
      </Button>
    </form>
  );
}
