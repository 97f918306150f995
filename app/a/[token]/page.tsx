import type { Metadata } from "next";
import { Door } from "@/components/doors/door";
import { TakeForm } from "@/components/doors/take-form";
import { ButtonLink } from "@/components/ui/button";
import { AppError } from "@/lib/errors";
import { readNow } from "@/lib/services/clock";
import { readLink } from "@/lib/services/notify/links";
import { take } from "./actions";

export const metadata: Metadata = { title: "Acknowledge", robots: { index: false }, referrer: "no-referrer" };

/** Opened from a message. Looking changes nothing: mail filters and previews open every link. */
export default async function LinkPage({ params }: PageProps<"/a/[token]">) {
  const { token } = await params;
  const now = await readNow();
  const alert = await readLink(now, token).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (!alert)
    return (
      <Door
        title="This link is over"
        text="It is not known, has run out or was used. Open the alert in Hopperdeck instead."
      >
        <ButtonLink look="primary" href="/alerts" className="justify-center">
          Open the alerts
        </ButtonLink>
      </Door>
    );
  return (
    <Door title={alert.ruleName} text={alert.targetName}>
      <TakeForm alert={alert} token={token} now={now.getTime()} take={take} />
    </Door>
  );
}
