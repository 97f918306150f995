"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { CodeLine } from "@/components/ui/code";
import { Facts } from "@/components/ui/page";
import { Panel, type Span } from "@/components/ui/panel";
import { ROLE_NAMES } from "@/lib/domain/access";
import type { ProviderView } from "@/lib/domain/oidc";
import { peopleQuery } from "@/lib/queries/settings";

/** By which doors people come in. */
export function SignInPanel({ span }: { span?: Span }) {
  const { data } = useLive(peopleQuery());
  return (
    <Panel title="Signing in" sub="set by environment, read at start" {...(span && { span })}>
      <Facts rows={[["Password", data.canInvite ? "yes, by invitation" : "switched off"], ...rowsOf(data.provider)]} />
      {data.provider ? (
        <div className="grid gap-1 pt-3">
          <p className="field-label">The provider sends people back to</p>
          <CodeLine text={data.provider.callback} what="address" />
        </div>
      ) : (
        <p className="muted pt-3">
          Any OpenID Connect provider can stand beside the password or in its place: set OIDC_ISSUER, OIDC_CLIENT_ID and
          OIDC_CLIENT_SECRET, and OIDC_ROLES to let its groups give the roles.
        </p>
      )}
    </Panel>
  );
}

function rowsOf(provider: ProviderView | null): (readonly [string, ReactNode])[] {
  if (!provider) return [["Identity provider", "none"]];
  const roles = provider.roles.map(({ group, role }) => `${group} → ${ROLE_NAMES[role].toLowerCase()}`);
  const rest = provider.defaultRole ? ROLE_NAMES[provider.defaultRole].toLowerCase() : "stay out";
  return [
    ["Identity provider", provider.name],
    ["Issuer", <Mono key="issuer" text={provider.issuer} />],
    ["Client", <Mono key="client" text={provider.clientId} />],
    [
      "Groups, at each sign-in",
      roles.length > 0 ? `${roles.join(", ")} (claim ${provider.groupClaim})` : "give no roles",
    ],
    [roles.length > 0 ? "Others" : "Newcomers", roles.length > 0 ? rest : provider.defaultRole ? rest : "stay out"],
    ["E-mail domains", provider.emailDomains.join(", ") || "all"],
    ["Addresses", provider.isEmailTrusted ? "taken as verified" : "linked only where the provider says verified"],
  ];
}

function Mono({ text }: { text: string }) {
  return <span className="mono break-all">{text}</span>;
}
