import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { PeoplePanel } from "@/components/settings/people-panel";
import { RoleMatrix } from "@/components/settings/role-matrix";
import { SessionLimitsPanel } from "@/components/settings/session-limits-panel";
import { SignInPanel } from "@/components/settings/sign-in-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { peopleQuery, settingsQuery } from "@/lib/queries/settings";
import { readPeople } from "@/lib/services/people";
import { readSettings } from "@/lib/services/settings";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changePerson, changeSessionLimits, invite, revokeToken, setPassword, signOutEverywhere } from "./actions";

export const metadata: Metadata = { title: "People and roles" };

export default async function PeoplePage() {
  const ctx = await pageCtx();
  return (
    <Hydrate
      reads={[prefetch(peopleQuery(), () => readPeople(ctx)), prefetch(settingsQuery(), () => readSettings(ctx))]}
    >
      <Deck>
        <PanelFrame label="The people" span={12} rows={6}>
          <PeoplePanel
            span={12}
            locked={lockOf(ctx.actor, "people:write")}
            invite={invite}
            revoke={revokeToken}
            change={changePerson}
            disable={changePerson}
            setPassword={setPassword}
            signOutEverywhere={signOutEverywhere}
          />
        </PanelFrame>
        <RoleMatrix span={12} />
        <PanelFrame label="Signing in" span={8} rows={5}>
          <SignInPanel span={8} />
        </PanelFrame>
        <PanelFrame label="Session limits" span={4} rows={4}>
          <SessionLimitsPanel span={4} act={changeSessionLimits} locked={lockOf(ctx.actor, "setting:write")} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
