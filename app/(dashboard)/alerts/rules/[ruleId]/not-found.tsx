import { SlidersHorizontal } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";

export default function RuleNotFound() {
  return (
    <Deck>
      <Panel span={12}>
        <Empty
          icon={SlidersHorizontal}
          title="There is no such rule"
          text="It was deleted, or the address is cut short. What a deleted rule found stays in the history of each instance."
          action={<ButtonLink href={"/alerts/rules" as Route}>To the rules</ButtonLink>}
        />
      </Panel>
    </Deck>
  );
}
