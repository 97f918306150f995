import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { TokensPanel } from "@/components/settings/tokens-panel";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { tokensQuery } from "@/lib/queries/settings";
import { readTokens } from "@/lib/services/credentials";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { createToken, revokeToken } from "./actions";

export const metadata: Metadata = { title: "Tokens" };

export default async function TokensPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(tokensQuery(), () => readTokens(ctx))]}>
      <Deck>
        <PanelFrame label="The tokens" span={12} rows={6}>
          <TokensPanel
            create={createToken}
            revoke={revokeToken}
            lockedIngest={lockOf(ctx.actor, "token:ingest")}
            lockedApi={lockOf(ctx.actor, "token:api")}
          />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
