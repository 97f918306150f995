import type { Metadata, Route } from "next";
import { redirect } from "next/navigation";
import { Door } from "@/components/doors/door";
import { SignInForm } from "@/components/doors/sign-in-form";
import { isOneClickOffered } from "@/lib/services/people";
import { maybeCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, again } = await searchParams;
  const target = pathOf(next);
  // Somebody who must prove who they are once more is signed in already.
  if (again === undefined && (await maybeCtx())) redirect(target);
  return (
    <Door
      title="Sign in"
      text={
        isOneClickOffered()
          ? "A demo fleet on a simulated cloud."
          : "No account yet? An admin makes you an invitation link; the first admin’s stands in the terminal."
      }
    >
      <SignInForm next={target} isOneClick={isOneClickOffered()} />
    </Door>
  );
}

/** A path of our own, and nothing that a browser could read as another host. */
function pathOf(next: string | string[] | undefined): Route {
  return (typeof next === "string" && /^\/(?![/\\])[\w\-/?=&.%:+,]*$/.test(next) ? next : "/") as Route;
}
