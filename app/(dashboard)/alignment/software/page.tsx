import type { Metadata } from "next";
import { SoftwareRoom } from "@/components/alignment/software-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { softwareQuery } from "@/lib/queries/alignment";
import { readSoftware } from "@/lib/services/alignment/software";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { end, sign, start } from "./actions";

export const metadata: Metadata = { title: "Software policy" };

export default async function SoftwarePage() {
  const ctx = await pageCtx();
  const maySign = can(ctx.actor, "alignment:write");
  return (
    <Hydrate reads={[prefetch(softwareQuery(), () => readSoftware(ctx))]}>
      <PageTitle title="Software policy" meta="What may run, what does, and what is running out." />
      <PanelFrame label="The software policies" rows={12}>
        <SoftwareRoom acts={maySign ? { sign, start, end } : null} />
      </PanelFrame>
    </Hydrate>
  );
}
