"use client";

import { BellOff, SlidersHorizontal, UserCheck, X } from "lucide-react";
import type { Route } from "next";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button, ButtonLink, IconButton } from "@/components/ui/button";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { SelectionBar } from "@/components/ui/selection-bar";
import { Empty } from "@/components/ui/states";
import { TabLinks } from "@/components/ui/tabs";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { burnOf } from "@/lib/domain/alerts/inbox";
import type { InboxAnswer, InboxPart } from "@/lib/domain/alerts/view";
import { formatCount, formatUsdBurn } from "@/lib/domain/format";
import { inboxQuery } from "@/lib/queries/alerts";
import { StripLegend } from "./alert-strip";
import { inboxSentence, isOpenToTake, PART_WORDS, PARTS } from "./alert-words";
import { InboxCards } from "./inbox-cards";
import { InboxFigures } from "./inbox-figures";
import { InboxNotes } from "./inbox-notes";
import { InboxTable } from "./inbox-table";
import { useVerb, type Verb } from "./use-verb";

type Taken = { acknowledged: string[]; refused: { id: string; message: string }[] };

type Props = {
  /** Null: this role sees alerts and does not take them. */
  acknowledge: Verb<{ alertIds: string[] }, Taken> | null;
};

const NO_VERB: Verb<{ alertIds: string[] }, Taken> = () => Promise.reject(new Error("This role takes no alerts"));

/** Everything that fires, waits, is in somebody's hand or has just ended. */
export function InboxPanel({ acknowledge }: Props) {
  const { data } = useLive(inboxQuery());
  const part = readPart(useSearchParams().get("part"));
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [taking, setTaking] = useState<readonly string[]>([]);
  const verb = useVerb(
    acknowledge ?? NO_VERB,
    ({ acknowledged, refused }) => {
      setTaking([]);
      setIds(new Set());
      if (acknowledged.length > 0)
        toast("ok", `${formatCount(acknowledged.length, "alert")} acknowledged`, "Repeats stop until they resolve.");
      for (const { message } of refused.slice(0, 3)) toast("warn", "Not acknowledged", message);
    },
    ({ message }) => {
      setTaking([]);
      toast("crit", "Not acknowledged", message);
    },
  );
  const take = (alertIds: string[]) => {
    setTaking(alertIds);
    verb.run({ alertIds });
  };

  const rows = part === null ? data.rows : data.rows.filter((row) => row.part === part);
  const selected = rows.filter((row) => isOpenToTake(row) && ids.has(row.id));
  const { lead, rest } = inboxSentence(data.rows);
  return (
    <>
      <Lede>
        <b>{lead}</b> {rest}
      </Lede>
      <InboxNotes data={data} />
      <div className="inbox-bar">
        <Heads data={data} part={part} />
        <ButtonLink href={"/alerts/rules" as Route} icon={SlidersHorizontal}>
          Rules
        </ButtonLink>
      </div>
      <Deck>
        <InboxFigures data={data} />
        <Panel span={12} isFlush>
          {rows.length === 0 ? (
            <NothingThere data={data} part={part} />
          ) : (
            <>
              <div className="fleet-wide">
                <InboxTable rows={rows} now={data.now} selection={acknowledge && { ids, onChange: setIds }} />
              </div>
              <div className="fleet-phone">
                <InboxCards
                  rows={rows}
                  now={data.now}
                  onTake={acknowledge && take}
                  taking={verb.isPending ? taking : []}
                />
              </div>
            </>
          )}
        </Panel>
      </Deck>
      {rows.length > 0 && <StripLegend />}
      {selected.length > 0 && (
        <div className="fleet-wide">
          <SelectionBar
            count={selected.length}
            sum={`${formatUsdBurn(burnOf(selected, data.now).microsPerHour)} together`}
          >
            <Button
              look="primary"
              icon={UserCheck}
              isPending={verb.isPending}
              onClick={() => take(selected.map(({ id }) => id))}
            >
              Acknowledge
            </Button>
            <IconButton icon={X} label="Select none" onClick={() => setIds(new Set())} />
          </SelectionBar>
        </div>
      )}
    </>
  );
}

function readPart(text: string | null): InboxPart | null {
  return PARTS.find((part) => part === text) ?? null;
}

function Heads({ data, part }: { data: InboxAnswer; part: InboxPart | null }) {
  const count = (of: InboxPart) => data.rows.filter((row) => row.part === of).length;
  return (
    <TabLinks
      label="Parts of the inbox"
      links={[
        { label: "All", count: data.rows.length, href: "/alerts" as Route, isCurrent: part === null },
        ...PARTS.map((one) => ({
          label: PART_WORDS[one],
          count: count(one),
          isHot: one === "firing" && count(one) > 0,
          href: `/alerts?part=${one}` as Route,
          isCurrent: part === one,
        })),
      ]}
    />
  );
}

/** Nothing to show is good news only where rules were judged on data that are current. */
function NothingThere({ data, part }: { data: InboxAnswer; part: InboxPart | null }) {
  const { evaluator, inventoryStaleSince } = data;
  const doubts = [
    evaluator.rules === 0 && "No rule is switched on, so nothing can fire.",
    evaluator.rules > 0 && evaluator.judgedAt === null && "The rules have not all been judged yet.",
    evaluator.late > 0 && `${formatCount(evaluator.late, "rule")} of ${evaluator.rules} is not judged in time.`,
    evaluator.failing > 0 && `${formatCount(evaluator.failing, "rule")} could not be judged.`,
    inventoryStaleSince !== null && "The fleet is stale: machines may run that nobody watches.",
  ].filter((doubt) => doubt !== false);
  return (
    <Empty
      icon={BellOff}
      title={part === null || part === "firing" ? "No alert fires" : `Nothing is ${PART_WORDS[part].toLowerCase()}`}
      text={
        doubts.length > 0 ? (
          <b>{doubts.join(" ")}</b>
        ) : (
          <>
            {formatCount(evaluator.rules, "rule")} judged{" "}
            {evaluator.judgedAt === null ? "just now" : <Age at={evaluator.judgedAt} />}. Alerts that ended stay here
            for 24 hours.
          </>
        )
      }
    />
  );
}
