import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { MePanel, PasswordPanel, SessionsPanel } from "@/components/settings/account-panels";
import { Deck, DeckColumn } from "@/components/ui/panel";
import { ROLE_NAMES } from "@/lib/domain/access";
import { sessionsQuery } from "@/lib/queries/settings";
import { readMySessions } from "@/lib/services/sessions";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeMyPassword, endMyOtherSessions, endMySession } from "./actions";

export const metadata: Metadata = { title: "My account" };

export default async function AccountPage() {
  const ctx = await pageCtx();
  const { name, email, role } = ctx.actor;
  return (
    <Hydrate reads={[prefetch(sessionsQuery(), () => readMySessions(ctx))]}>
      <Deck>
        <DeckColumn span={4}>
          <MePanel name={name} email={email} role={ROLE_NAMES[role]} />
          <PanelFrame label="Your password" rows={5}>
            <PasswordPanel act={changeMyPassword} />
          </PanelFrame>
        </DeckColumn>
        <PanelFrame label="Your sessions" span={8} rows={5}>
          <SessionsPanel span={8} end={endMySession} endOthers={endMyOtherSessions} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
