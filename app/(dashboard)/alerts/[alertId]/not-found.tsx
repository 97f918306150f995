import { BellOff } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";

export default function AlertNotFound() {
  return (
    <Deck>
      <Panel span={12}>
        <Empty
          icon={BellOff}
          title="There is no such alert"
          text="It passed before it fired, or the address is cut short. A pending alert that never fires leaves nothing behind."
          action={<ButtonLink href={"/alerts" as Route}>To the alerts</ButtonLink>}
        />
      </Panel>
    </Deck>
  );
}
