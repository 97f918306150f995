"use client";

import { BellOff, Merge, SlidersHorizontal, UserCheck, UserRound, Waypoints, X } from "lucide-react";
import type { Route } from "next";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button, ButtonLink, IconButton } from "@/components/ui/button";
import { Lede } from "@/components/ui/page";
import { Deck, Panel } from "@/components/ui/panel";
import { SelectionBar } from "@/components/ui/selection-bar";
import { Empty } from "@/components/ui/states";
import { TableLinks } from "@/components/ui/table-links";
import { TabLinks } from "@/components/ui/tabs";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { burnOf, foldIncidents } from "@/lib/domain/alerts/inbox";
import type { InboxAnswer, InboxPart } from "@/lib/domain/alerts/view";
import { formatCount, formatUsdBurn } from "@/lib/domain/format";
import { inboxQuery } from "@/lib/queries/alerts";
import { AssignDialog } from "./act-dialogs";
import { StripLegend } from "./alert-strip";
import { inboxSentence, isOpenToTake, isToChoose, PART_WORDS, PARTS } from "./alert-words";
import { InboxCards } from "./inbox-cards";
import { InboxFigures } from "./inbox-figures";
import { InboxNotes } from "./inbox-notes";
import { InboxTable } from "./inbox-table";
import { useVerb, type Verb } from "./use-verb";

type Assigned = { assigned: string[]; refused: { id: string; message: string }[] };
type Taken = { acknowledged: string[]; refused: { id: string; message: string }[] };

type Props = {
  /** Null: this role sees alerts and does not take them. */
  verbs: {
    acknowledge: Verb<{ alertIds: string[] }, Taken>;
    assign: Verb<{ alertIds: string[]; assigneeId: string | null }, Assigned>;
    merge: Verb<{ alertId: string; alertIds: string[] }>;
  } | null;
  canExport: boolean;
};

const noVerb = () => Promise.reject(new Error("This role takes no alerts"));

/** Everything that fires, waits, is in somebody's hand or has just ended. */
export function InboxPanel({ verbs, canExport }: Props) {
  const { data } = useLive(inboxQuery());
  const part = readPart(useSearchParams().get("part"));
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAssigning, setAssigning] = useState(false);
  const [taking, setTaking] = useState<readonly string[]>([]);
  const verb = useVerb(
    verbs?.acknowledge ?? noVerb,
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

  const incidents = foldIncidents(data.rows);
  const shown = part === null ? incidents : incidents.filter(({ row }) => row.part === part);
  // What is done to a line is done to all that stand in it.
  const selected = shown
    .filter(({ row }) => isToChoose(row) && ids.has(row.id))
    .flatMap(({ row, others }) => [row, ...others.filter(isToChoose)]);
  const takeable = selected.filter(isOpenToTake);
  const assign = useVerb(verbs?.assign ?? noVerb, ({ assigned, refused }) => {
    setAssigning(false);
    setIds(new Set());
    if (assigned.length > 0) toast("ok", `${formatCount(assigned.length, "alert")} assigned`);
    for (const { message } of refused.slice(0, 3)) toast("warn", "Not assigned", message);
  });
  const merge = useVerb(
    verbs?.merge ?? noVerb,
    () => {
      setIds(new Set());
      toast("ok", "Merged into one incident", "Acknowledging it takes all of it in hand.");
    },
    ({ message }) => toast("warn", "Not merged", message),
  );
  const join = () => {
    const [first, ...rest] = selected.toSorted((a, b) => (a.firedAt ?? 0) - (b.firedAt ?? 0));
    if (first) merge.run({ alertId: first.id, alertIds: rest.map(({ id }) => id) });
  };
  const { lead, rest } = inboxSentence(data.rows);
  return (
    <>
      <Lede>
        <b>{lead}</b> {rest}
      </Lede>
      <InboxNotes data={data} />
      <div className="inbox-bar">
        <Heads data={data} part={part} />
        {canExport && <TableLinks href={`/api/v1/alerts?part=${part ?? ""}`} what="Alerts" isInBar />}
        <ButtonLink href={"/alerts/silences" as Route} icon={BellOff}>
          Silences
        </ButtonLink>
        <ButtonLink href={"/alerts/routes" as Route} icon={Waypoints}>
          Routes
        </ButtonLink>
        <ButtonLink href={"/alerts/rules" as Route} icon={SlidersHorizontal}>
          Rules
        </ButtonLink>
      </div>
      <Deck>
        <InboxFigures data={data} />
        <Panel span={12} isFlush>
          {shown.length === 0 ? (
            <NothingThere data={data} part={part} />
          ) : (
            <>
              <div className="fleet-wide">
                <InboxTable incidents={shown} now={data.now} selection={verbs && { ids, onChange: setIds }} />
              </div>
              <div className="fleet-phone">
                <InboxCards
                  incidents={shown}
                  now={data.now}
                  onTake={verbs && take}
                  taking={verb.isPending ? taking : []}
                />
              </div>
            </>
          )}
        </Panel>
      </Deck>
      {shown.length > 0 && <StripLegend />}
      {selected.length > 0 && (
        <div className="fleet-wide">
          <SelectionBar
            count={selected.length}
            sum={`${formatUsdBurn(burnOf(selected, data.now).microsPerHour)} together`}
          >
            {takeable.length > 0 && (
              <Button
                look="primary"
                icon={UserCheck}
                isPending={verb.isPending}
                onClick={() => take(takeable.map(({ id }) => id))}
              >
                Acknowledge
              </Button>
            )}
            <Button icon={UserRound} onClick={() => setAssigning(true)}>
              Assign…
            </Button>
            {ids.size > 1 && selected.length > 1 && (
              <Button icon={Merge} isPending={merge.isPending} onClick={join}>
                Merge
              </Button>
            )}
            <IconButton icon={X} label="Select none" onClick={() => setIds(new Set())} />
          </SelectionBar>
        </div>
      )}
      {isAssigning && (
        <AssignDialog
          current={null}
          isPending={assign.isPending}
          failure={assign.failure}
          onAssign={({ assigneeId }) => assign.run({ alertIds: selected.map(({ id }) => id), assigneeId })}
          onClose={() => {
            setAssigning(false);
            assign.clear();
          }}
        />
      )}
    </>
  );
}

function readPart(text: string | null): InboxPart | null {
  return PARTS.find((part) => part === text) ?? null;
}

function Heads({ data, part }: { data: InboxAnswer; part: InboxPart | null }) {
  const incidents = foldIncidents(data.rows);
  const count = (of: InboxPart) => incidents.filter(({ row }) => row.part === of).length;
  return (
    <TabLinks
      label="Parts of the inbox"
      links={[
        { label: "All", count: incidents.length, href: "/alerts" as Route, isCurrent: part === null },
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
