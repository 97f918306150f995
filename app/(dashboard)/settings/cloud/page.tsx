import type { Metadata } from "next";
import { FileSystemsPanel } from "@/components/cloud/file-systems-panel";
import { FirewallPanel } from "@/components/cloud/firewall-panel";
import { SshKeysPanel } from "@/components/cloud/ssh-keys-panel";
import { PanelFrame } from "@/components/page/panel-frame";
import { Deck } from "@/components/ui/panel";
import { lockOf } from "@/lib/domain/access";
import { cloudQuery } from "@/lib/queries/cloud";
import { readCloud } from "@/lib/services/cloud/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { addKey, changeRules, makeFileSystem, removeFileSystem, removeKey } from "./actions";

export const metadata: Metadata = { title: "Cloud" };

export default async function CloudPage() {
  const ctx = await pageCtx();
  const locked = lockOf(ctx.actor, "cloud:write");
  return (
    <Hydrate reads={[prefetch(cloudQuery(), () => readCloud(ctx))]}>
      <Deck>
        <PanelFrame label="The file systems" span={12} rows={5}>
          <FileSystemsPanel create={makeFileSystem} remove={removeFileSystem} locked={locked} />
        </PanelFrame>
        <PanelFrame label="The SSH keys" span={12} rows={4}>
          <SshKeysPanel add={addKey} remove={removeKey} locked={locked} />
        </PanelFrame>
        <PanelFrame label="The firewall" span={12} rows={3}>
          <FirewallPanel change={changeRules} locked={locked} />
        </PanelFrame>
      </Deck>
    </Hydrate>
  );
}
