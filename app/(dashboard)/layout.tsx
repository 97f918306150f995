import { FlaskConical } from "lucide-react";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { FrameNotes } from "@/components/shell/frame-notes";
import { MeProvider } from "@/components/shell/me";
import { MeMenu } from "@/components/shell/me-menu";
import { Providers } from "@/components/shell/providers";
import { Rail } from "@/components/shell/rail";
import { ThumbBar } from "@/components/shell/thumb-bar";
import { TopBar } from "@/components/shell/top-bar";
import { THEME_COOKIE, themeFrom } from "@/components/ui/theme";
import { can, ROLE_NAMES } from "@/lib/domain/access";
import { env } from "@/lib/env";
import { alertCountsQuery } from "@/lib/queries/alerts";
import { findingCountQuery } from "@/lib/queries/alignment";
import { fleetStatusQuery } from "@/lib/queries/fleet";
import { approvalCountQuery } from "@/lib/queries/intents";
import { undeliveredCountQuery } from "@/lib/queries/notify";
import { automationQuery } from "@/lib/queries/policies";
import { readAlertCounts } from "@/lib/services/alerts/read";
import { countFindings } from "@/lib/services/alignment/read";
import { readFleetStatus } from "@/lib/services/fleet/status";
import { countApprovals } from "@/lib/services/intents/approvals";
import { countUndelivered } from "@/lib/services/notify/routes";
import { isOneClickOffered } from "@/lib/services/people";
import { readAutomation } from "@/lib/services/policies/automation";
import { waysOf } from "@/lib/services/sign-in-provider";
import { HydrateReady, prefetch } from "@/lib/web/prefetch";
import { maybeCtx } from "@/lib/web/session";

/** The frame. It authorises nothing: each page does that for itself. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const ctx = await maybeCtx();
  if (!ctx) return children;
  const { name, email, role } = ctx.actor;
  const theme = themeFrom((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <Providers>
      <HydrateReady
        reads={[
          prefetch(fleetStatusQuery(), () => readFleetStatus(ctx)),
          prefetch(alertCountsQuery(), () => readAlertCounts(ctx)),
          prefetch(undeliveredCountQuery(), () => countUndelivered(ctx)),
          prefetch(automationQuery(), () => readAutomation(ctx)),
          prefetch(approvalCountQuery(), () => countApprovals(ctx)),
          prefetch(findingCountQuery(), () => countFindings(ctx)),
        ]}
      >
        <a href="#main" className="skip-link">
          Skip to the page
        </a>
        <div className="frame">
          <Rail me={<MeMenu name={name} email={email} role={ROLE_NAMES[role]} theme={theme} />} />
          <div className="frame-page">
            {env.mode === "demo" && (
              <p className="banner" role="note">
                <FlaskConical size={14} className="text-info" aria-hidden="true" />
                <span>
                  <b>Demo fleet.</b> The cloud is simulated: no machine here is real and none costs money. Start with
                  LAMBDA_API_KEY set to see your own.
                </span>
              </p>
            )}
            <TopBar canLaunch={can(ctx.actor, "intent:launch")} />
            <main className="frame-main" id="main" tabIndex={-1}>
              <FrameNotes />
              <MeProvider me={{ email, role, ways: await waysOf(ctx.actor.id), isOneClick: isOneClickOffered() }}>
                {children}
              </MeProvider>
            </main>
          </div>
          <ThumbBar />
        </div>
      </HydrateReady>
    </Providers>
  );
}
