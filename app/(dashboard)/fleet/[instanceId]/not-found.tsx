import { Server } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";

export default function InstanceNotFound() {
  return (
    <Deck>
      <Panel span={12}>
        <Empty
          icon={Server}
          title="There is no such instance"
          text="It was never seen in this account, or the address is cut short. Instances that ended stay in Activity and Cost."
          action={<ButtonLink href={"/fleet" as Route}>To the fleet</ButtonLink>}
        />
      </Panel>
    </Deck>
  );
}
