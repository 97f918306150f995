import type { Metadata, Route } from "next";
import { redirect } from "next/navigation";
import { Door } from "@/components/doors/door";
import { SignInForm } from "@/components/doors/sign-in-form";
import { OIDC_REFUSALS, type SignInWays } from "@/lib/domain/oidc";
import { isOneClickOffered } from "@/lib/services/people";
import { signInWays } from "@/lib/services/sign-in-provider";
import { maybeCtx } from "@/lib/web/session";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const { next, again, refused, error } = await searchParams;
  const target = pathOf(next);
  const ways = await signInWays();
  // Somebody who must prove who they are once more is signed in already.
  if (again === undefined && (await maybeCtx())) redirect(target);
  return (
    <Door title={again === undefined ? "Sign in" : "Sign in again"} text={about(ways, again !== undefined)}>
      <SignInForm
        next={target}
        isOneClick={isOneClickOffered()}
        isAgain={again !== undefined}
        ways={ways}
        refused={refusalWords(refused, error)}
      />
    </Door>
  );
}

function about({ hasPassword }: SignInWays, isAgain: boolean): string {
  if (isAgain) return "What you are about to do asks for a sign-in of the last 10 minutes.";
  if (isOneClickOffered()) return "A demo fleet on a simulated cloud.";
  return hasPassword
    ? "No account yet? An admin makes you an invitation link; the first admin’s stands in the terminal."
    : "Your account comes from your organisation.";
}

/** Our words for a code; whatever else stands in the address is not shown. */
function refusalWords(refused: string | string[] | undefined, error: string | string[] | undefined): string | null {
  const known = Object.entries(OIDC_REFUSALS).find(([code]) => code === refused);
  if (known) return known[1];
  return error === undefined ? null : OIDC_REFUSALS.provider;
}

/** A path of our own, and nothing that a browser could read as another host. */
function pathOf(next: string | string[] | undefined): Route {
  return (typeof next === "string" && /^\/(?![/\\])[\w\-/?=&.%:+,]*$/.test(next) ? next : "/") as Route;
}
