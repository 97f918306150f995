import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { SilencesPanel } from "@/components/silences/silences-panel";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { silencesQuery } from "@/lib/queries/silences";
import { readSilences } from "@/lib/services/silences/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { create, end } from "./actions";

export const metadata: Metadata = { title: "Silences" };

export default async function SilencesPage({ searchParams }: PageProps<"/alerts/silences">) {
  const ctx = await pageCtx();
  const { match } = await searchParams;
  const mayPlace = can(ctx.actor, "alert:acknowledge") && ctx.actor.kind === "user";
  return (
    <Hydrate reads={[prefetch(silencesQuery(), () => readSilences(ctx))]}>
      <PageTitle
        title="Silences"
        meta="They keep messages back; the alerts themselves go on, and so does what they cost."
      />
      <PanelFrame label="The silences" rows={8}>
        <SilencesPanel
          create={mayPlace ? create : null}
          end={end}
          mayLong={can(ctx.actor, "rule:write")}
          initial={typeof match === "string" ? match.slice(0, 1_000) : ""}
        />
      </PanelFrame>
    </Hydrate>
  );
}
