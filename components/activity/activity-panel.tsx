"use client";

import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Bot, KeyRound, ListFilter, LogIn, type LucideIcon, User } from "lucide-react";
import type { Route } from "next";
import { usePathname, useSearchParams } from "next/navigation";
import { useDeferredValue, useState } from "react";
import { Button } from "@/components/ui/button";
import { useClockCorrection, useTimeZone } from "@/components/ui/clock";
import { SelectField, TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { Empty, ErrorState, FilteredToNothing, Loading } from "@/components/ui/states";
import { GroupRow, Table } from "@/components/ui/table";
import { TableLinks } from "@/components/ui/table-links";
import { Age, ClockTime } from "@/components/ui/time";
import { type ActivityFilter, ActivityQuestion, filterOf } from "@/lib/domain/activity/question";
import {
  type Act,
  DAYS,
  type Days,
  SOURCES,
  type Source,
  WHAT,
  WHO,
  type What,
  type Who,
} from "@/lib/domain/activity/view";
import { formatCount } from "@/lib/domain/format";
import { formatDay, zoneName } from "@/lib/domain/format-time";
import { groupBy } from "@/lib/domain/group";
import { activityQuery } from "@/lib/queries/activity";
import { ActDetail } from "./act-detail";

const NAMES: Record<Who, string> = { all: "All", people: "People", outside: "Outside", system: "System" };
const WHAT_NAMES: Record<What, string> = {
  all: "Everything",
  machines: "Instances",
  policies: "Policies",
  alerts: "Alerts",
  money: "Money",
  plan: "Plan, alignment",
  people: "People, tokens",
  settings: "Settings",
};
const SOURCE_NAMES: Record<Source, string> = { all: "Both sources", hopperdeck: "Hopperdeck", lambda: "Lambda" };
const DAY_NAMES: Record<Days, string> = { all: "Any time", 1: "24 hours", 7: "7 days", 30: "30 days", 90: "90 days" };

/** What differs from an open list, as the address has it. */
function addressOf({ q, from, to, ...choices }: ActivityFilter): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(choices)) if (value !== "all") query.set(name, value);
  if (q.trim()) query.set("q", q);
  if (from !== undefined) query.set("from", String(from));
  if (to !== undefined) query.set("to", String(to));
  return query.toString();
}

function wordsOf({ q, who, what, source, days }: ActivityFilter): string {
  const chosen = [
    who !== "all" && NAMES[who],
    what !== "all" && WHAT_NAMES[what],
    source !== "all" && SOURCE_NAMES[source],
    days !== "all" && DAY_NAMES[days],
    q.trim(),
  ];
  return chosen.filter(Boolean).join(", ");
}

type ChoiceProps<T extends string> = {
  label: string;
  of: readonly T[];
  names: Record<T, string>;
  value: T;
  onChoose: (value: T) => void;
};

function Choice<T extends string>({ label, of, names, value, onChoose }: ChoiceProps<T>) {
  return (
    <SelectField
      label={label}
      isLabelHidden
      value={value}
      onChange={(event) => onChoose(of.find((one) => one === event.target.value) ?? value)}
    >
      {of.map((one) => (
        <option key={one} value={one}>
          {names[one]}
        </option>
      ))}
    </SelectField>
  );
}

/** Who did what, from here and outside, the newest first. */
export function ActivityPanel({ canExport }: { canExport: boolean }) {
  const given = useSearchParams();
  const path = usePathname();
  const timeZone = useTimeZone();
  const [filter, setFilter] = useState<ActivityFilter>(() =>
    filterOf(ActivityQuestion.parse(Object.fromEntries(given))),
  );
  const [open, setOpen] = useState<string | null>(null);
  const asked = useDeferredValue(filter);
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    ...activityQuery(asked),
    placeholderData: keepPreviousData,
  });
  useClockCorrection(data?.pages[0]?.now);

  const choose = (change: Partial<ActivityFilter>) => {
    const next = { ...filter, ...change };
    setFilter(next);
    const query = addressOf(next);
    window.history.replaceState(null, "", query ? `${path}?${query}` : path);
  };

  const [first] = data?.pages ?? [];
  const acts = data?.pages.flatMap((page) => page.acts) ?? [];
  const days = [...groupBy(acts, (act) => formatDay(act.at, timeZone, true))];
  const zone = first ? zoneName(first.now, timeZone) : "";
  return (
    <>
      <div className="fleet-bar act-bar">
        <search>
          <TextField
            label="Filter activity"
            isLabelHidden
            icon={ListFilter}
            autoComplete="off"
            placeholder="an act, a name; by:ada on:gh-train"
            value={filter.q}
            onChange={(event) => choose({ q: event.target.value })}
          />
        </search>
        <Segmented
          label="Who"
          options={WHO.map((value) => ({ value, label: NAMES[value] }))}
          value={filter.who}
          onChange={(who) => choose({ who })}
        />
        <Choice label="What" of={WHAT} names={WHAT_NAMES} value={filter.what} onChoose={(what) => choose({ what })} />
        <Choice label="Period" of={DAYS} names={DAY_NAMES} value={filter.days} onChoose={(days) => choose({ days })} />
        <Choice
          label="Recorded by"
          of={SOURCES}
          names={SOURCE_NAMES}
          value={filter.source}
          onChoose={(source) => choose({ source })}
        />
        {canExport && <TableLinks href={`/api/v1/activity?${addressOf(filter)}`} what="Activity" isInBar />}
      </div>
      {first?.limit && (
        <div className="pb-2.5">
          <Note>{first.limit} Operators and admins see all of the trail.</Note>
        </div>
      )}
      <Deck>
        <Panel span={12} isFlush>
          {error && !data ? (
            <ErrorState title="The trail could not be read" text={error.message} onRetry={() => void refetch()} />
          ) : !data ? (
            <div className="p-4">
              <Loading rows={8} />
            </div>
          ) : acts.length === 0 ? (
            addressOf(filter) !== "" ? (
              <FilteredToNothing
                title="Nothing matches"
                filter={wordsOf(filter)}
                onClear={() => choose(ActivityQuestion.parse({ from: undefined, to: undefined }))}
              />
            ) : (
              <Empty
                title="Nothing has happened yet"
                text="Everything that people, programs and the system do is written here, as it happens."
              />
            )
          ) : (
            <Table label="Activity" isTight>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col" className="not-phone">
                    Who
                  </th>
                  <th scope="col">What</th>
                  <th scope="col" className="not-phone">
                    On
                  </th>
                  <th scope="col" className="wide-only">
                    Source
                  </th>
                  <th scope="col">
                    <span className="sr-only">Details</span>
                  </th>
                </tr>
              </thead>
              {days.map(([day, list]) => (
                <tbody key={day}>
                  <GroupRow
                    title={`${day}, ${zone}`}
                    count={formatCount(list.length, "entry", "entries")}
                    columns={6}
                  />
                  {list.map((act) => (
                    <Row
                      key={act.key}
                      act={act}
                      isOpen={open === act.key}
                      onToggle={() => setOpen(open === act.key ? null : act.key)}
                    />
                  ))}
                </tbody>
              ))}
            </Table>
          )}
          {hasNextPage && (
            <p className="p-3 text-center">
              <Button isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show earlier entries
              </Button>
            </p>
          )}
        </Panel>
      </Deck>
      <p className="page-remark">
        Times are Lambda’s where Lambda has one.{" "}
        {first?.eventsError ? (
          <>Lambda’s audit log cannot be read: {first.eventsError}</>
        ) : first?.eventsReadAt != null ? (
          <>
            Lambda’s audit log was read <Age at={first.eventsReadAt} />.
          </>
        ) : (
          "Lambda’s audit log was not read yet."
        )}{" "}
        Nobody can edit or delete an entry, admins included; secrets never appear in it.
      </p>
    </>
  );
}

const ICONS: Record<Act["who"]["kind"], LucideIcon> = { user: User, token: KeyRound, system: Bot, outside: LogIn };
const KINDS: Record<Act["who"]["kind"], string> = {
  user: "person",
  token: "program",
  system: "system",
  outside: "outside",
};

function Row({ act, isOpen, onToggle }: { act: Act; isOpen: boolean; onToggle: () => void }) {
  const Icon = ICONS[act.who.kind];
  const isRefused = /refused|unknown|lost/.test(act.action);
  const subject = act.href ? (
    <Link className="name-link" href={act.href as Route}>
      {act.subject}
    </Link>
  ) : (
    <b>{act.subject}</b>
  );
  return (
    <>
      <tr className={isOpen ? "is-selected" : undefined}>
        <td className="muted">
          <ClockTime at={act.at} />
        </td>
        <td className="not-phone">
          <span className="flex items-center gap-1.5" title={KINDS[act.who.kind]}>
            <Icon size={14} className="text-text-3" aria-hidden="true" />
            <span className="ellipsis max-w-[180px]">{act.who.name}</span>
          </span>
        </td>
        <td className="act-what">
          <span className={isRefused ? "text-crit" : undefined}>{act.words}</span>
          <span className="phone-only act-line">
            {subject}
            <span className="muted">by {act.who.name}</span>
          </span>
        </td>
        <th scope="row" className="not-phone">
          {subject}
        </th>
        <td className="wide-only text-text-2">{act.source === "lambda" ? "Lambda" : "Hopperdeck"}</td>
        <td className="num">
          <Button size="small" look="ghost" aria-expanded={isOpen} onClick={onToggle}>
            evidence
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6}>
            <ActDetail act={act} />
          </td>
        </tr>
      )}
    </>
  );
}
