import { Wallet } from "lucide-react";
import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";

/** A ledger without a row, and what it waits for. */
export function NothingBilled({ knownFrom }: { knownFrom: number | null }) {
  return (
    <Deck>
      <Panel span={12}>
        <Empty
          icon={Wallet}
          title={knownFrom === null ? "Lambda has not answered yet" : "Nothing has been billed yet"}
          text={
            knownFrom === null
              ? "The first look at the account takes a few seconds. Metering starts with it."
              : "Metering starts when an instance is seen active, or a file system is seen; what ran before the first look cannot be known."
          }
          action={
            <ButtonLink href={"/settings" as Route} size="small">
              Connection to Lambda
            </ButtonLink>
          }
        />
      </Panel>
    </Deck>
  );
}
