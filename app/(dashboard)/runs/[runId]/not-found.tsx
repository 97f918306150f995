import { Waypoints } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";

export default function RunNotFound() {
  return (
    <Deck>
      <Panel span={12}>
        <Empty
          icon={Waypoints}
          title="There is no such run"
          text="It was removed, or the address is cut short. Why a run was removed stands in Activity."
          action={<ButtonLink href={"/runs" as Route}>To the runs</ButtonLink>}
        />
      </Panel>
    </Deck>
  );
}
