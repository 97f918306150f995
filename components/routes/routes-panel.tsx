"use client";

import { ArrowDown, ArrowUp, Plus, TriangleAlert, Waypoints } from "lucide-react";
import type { Route } from "next";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Confirm } from "@/components/settings/confirm";
import { FormDialog } from "@/components/settings/form-dialog";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink, IconButton } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { toast } from "@/components/ui/toast";
import { formatCount } from "@/lib/domain/format";
import type { RouteRow, RoutesAnswer } from "@/lib/domain/notify/route-input";
import { matcherText } from "@/lib/domain/silences/matchers";
import { routesQuery } from "@/lib/queries/notify";
import { type RouteInput, readDraft } from "./route-draft";
import { type Channels, RouteFormFields } from "./route-fields";
import { moved, stepText, timesText } from "./route-words";

type Props = {
  create: Act<RouteInput, { id: string }>;
  change: Act<RouteInput & { routeId: string; version: number }, { id: string }>;
  remove: Act<{ routeId: string }, { id: string }>;
  sort: Act<{ routeIds: string[] }, { ordered: number }>;
  /** Why this person may not; null where they may. */
  locked: string | null;
};

/** The routes in the order in which they are asked, and what reaches nobody. */
export function RoutesPanel({ create, change, remove, sort, locked }: Props) {
  const { data } = useLive(routesQuery());
  const { routes, channels } = data;
  const add = locked === null && channels.length > 0 && (
    <RouteDialog
      trigger={
        <Button look="primary" icon={Plus}>
          New route
        </Button>
      }
      title="New route"
      word="Add"
      done="The route is added"
      channels={channels}
      route={null}
      save={create}
    />
  );
  return (
    <Deck>
      <Panel
        title="In this order"
        sub="the first that fits takes the alert"
        span={12}
        isFlush={routes.length > 0}
        actions={routes.length > 0 && add}
      >
        {routes.length === 0 ? (
          <Nothing channels={channels} add={add} />
        ) : (
          <Ordered data={data} {...{ change, remove, sort }} isLocked={locked !== null} />
        )}
        {locked !== null && <p className="muted panel-words">{locked}</p>}
      </Panel>
      <Unheard data={data} />
    </Deck>
  );
}

function Nothing({ channels, add }: { channels: Channels; add: ReactElement | false }) {
  const isMute = channels.length === 0;
  return (
    <Empty
      icon={Waypoints}
      title="There is no route"
      text={
        isMute
          ? "There is no channel either, so alerts stand in the inbox only. Add a channel first; without routes each hears everything."
          : `Without routes every channel hears everything that it wants to hear: ${channels.map(({ name }) => name).join(", ")}. The first route ends that: from then on an alert that no route takes reaches nobody.`
      }
      action={isMute ? <ButtonLink href="/settings/channels">To the channels</ButtonLink> : add}
    />
  );
}

function Unheard({ data: { unheard, routes, channels } }: { data: RoutesAnswer }) {
  if (unheard.length === 0) return null;
  return (
    <Panel title="Reaches nobody" sub="fires now, and no channel is told" span={12}>
      <div className="grid gap-3">
        <Note tone="warn">
          <b>{formatCount(unheard.length, "alert fires", "alerts fire")} that nobody hears.</b>{" "}
          {channels.length === 0
            ? "There is no channel."
            : routes.length === 0
              ? "Every channel is switched off, or wants to hear graver ones only."
              : "No route takes them, or the channel is switched off or wants to hear graver ones only. A last route without conditions takes what is left."}
        </Note>
        <ul className="unheard">
          {unheard.map(({ alertId, ruleName, target }) => (
            <li key={alertId}>
              <Link className="inbox-link" href={`/alerts/${alertId}` as Route}>
                {ruleName}
              </Link>{" "}
              <span className="muted">{target}</span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}

type OrderedProps = Pick<Props, "change" | "remove" | "sort"> & { data: RoutesAnswer; isLocked: boolean };
type Move = { id: string; by: -1 | 1; words: string };

function Ordered({ data: { routes, channels }, change, remove, sort, isLocked }: OrderedProps) {
  const list = useRef<HTMLOListElement>(null);
  const [last, setLast] = useState<Move | null>(null);
  const sorting = useAct(sort);
  const ids = routes.map(({ id }) => id);
  const order = ids.join();

  // A moved row is put elsewhere in the page, and the key that moved it must be able to move it again.
  useEffect(() => {
    if (last === null || order === "") return;
    const row = list.current?.querySelector(`[data-route="${last.id}"]`);
    const [up, down] = row?.querySelectorAll<HTMLButtonElement>("[data-move]") ?? [];
    const wanted = last.by < 0 ? up : down;
    (wanted?.disabled ? (last.by < 0 ? down : up) : wanted)?.focus();
  }, [last, order]);

  const move = (index: number, by: -1 | 1) => {
    const route = routes[index];
    const routeIds = moved(ids, index, by);
    if (!route || !routeIds) return;
    sorting.run({ routeIds }, () =>
      setLast({ id: route.id, by, words: `${route.name} is asked in place ${index + by + 1} of ${ids.length} now` }),
    );
  };
  return (
    <>
      <ol className="routes" ref={list}>
        {routes.map((route, i) => (
          <li key={route.id} data-route={route.id}>
            <span className="route-place">{i + 1}</span>
            <Words route={route} channels={channels} isLast={i === routes.length - 1} />
            <span className="route-acts">
              {!isLocked && (
                <>
                  <IconButton
                    icon={ArrowUp}
                    size="small"
                    look="ghost"
                    data-move="up"
                    label={`Ask ${route.name} earlier`}
                    disabled={i === 0}
                    isPending={sorting.isPending}
                    onClick={() => move(i, -1)}
                  />
                  <IconButton
                    icon={ArrowDown}
                    size="small"
                    look="ghost"
                    data-move="down"
                    label={`Ask ${route.name} later`}
                    disabled={i === routes.length - 1}
                    isPending={sorting.isPending}
                    onClick={() => move(i, 1)}
                  />
                  <RouteDialog
                    trigger={
                      <Button size="small" aria-label={`Edit ${route.name}`}>
                        Edit
                      </Button>
                    }
                    title={`Edit ${route.name}`}
                    word="Save"
                    done="The route is changed"
                    channels={channels}
                    route={route}
                    save={change}
                  />
                  <Confirm
                    trigger={
                      <Button size="small" look="ghost" aria-label={`Remove ${route.name}`}>
                        Remove…
                      </Button>
                    }
                    title={`Remove ${route.name}?`}
                    word="Remove"
                    done={`${route.name} is removed`}
                    act={remove}
                    input={{ routeId: route.id }}
                  >
                    {routes.length === 1
                      ? "It is the last: every channel hears everything again."
                      : "What it took is asked of the routes after it; what none of them takes reaches nobody."}
                  </Confirm>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
      <p className="sr-only" aria-live="polite">
        {last?.words}
      </p>
      <Refusal failure={sorting.failure} />
    </>
  );
}

function Words({ route, channels, isLast }: { route: RouteRow; channels: Channels; isLast: boolean }) {
  const channel = channels.find(({ id }) => id === route.channelId);
  const trouble = !channel ? "its channel was removed: nobody is told" : channel.enabled ? null : "channel is off";
  return (
    <div className="route-words">
      <p className="route-name">
        <b>{route.name}</b> {!route.enabled && <Badge tone="mute">Off</Badge>}
        <span className={route.takesNow > 0 ? "font-medium" : "muted"}>
          {route.takesNow > 0 ? `takes ${formatCount(route.takesNow, "alert")} now` : "takes nothing now"}
        </span>
      </p>
      <p>
        <span className="mono">{route.matchers.length === 0 ? "every alert" : matcherText(route.matchers)}</span>
        <span aria-hidden="true"> → </span>
        <span className="sr-only"> goes to </span>
        {channel && <span className="font-medium">{channel.name}</span>}
        {trouble !== null && (
          <>
            {" "}
            <Badge tone="warn" icon={TriangleAlert}>
              {trouble}
            </Badge>
          </>
        )}
        {route.escalation.length > 0 && (
          <span className="text-text-2">
            , unacknowledged {route.escalation.map((step) => stepText(step, channels)).join(", ")}
          </span>
        )}
      </p>
      <p className="muted">
        {timesText(route)}.{route.goesOn && !isLast && " The routes after it are asked too."}
      </p>
    </div>
  );
}

type Save = (input: RouteInput) => ReturnType<Props["create"]>;
type DialogProps = {
  trigger: ReactElement;
  title: string;
  word: string;
  done: string;
  channels: Channels;
} & ({ route: null; save: Save } | { route: RouteRow; save: Props["change"] });

function RouteDialog({ trigger, title, word, done, channels, ...of }: DialogProps) {
  const save: Save = (input) =>
    of.route === null ? of.save(input) : of.save({ ...input, routeId: of.route.id, version: of.route.version });
  return (
    <FormDialog
      trigger={trigger}
      title={title}
      word={word}
      act={async (data: FormData) => {
        const read = readDraft(data);
        return read.ok ? save(read.input) : read;
      }}
      fields={["name", "matchers", "channelId", "groupBy", "groupWaitMs", "groupIntervalMs", "repeatMs", "escalation"]}
      onDone={() => toast("ok", done)}
    >
      {(failure) => <RouteFormFields route={of.route} channels={channels} failure={failure} />}
    </FormDialog>
  );
}
