"use client";

import { Dialog as Base } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { Clock, CornerDownLeft, type LucideIcon, Server } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type KeyboardEvent, useId, useState } from "react";
import { Kbd } from "@/components/ui/kbd";
import { isLaunchLine } from "@/lib/domain/intents/launch-word";
import { fleetQuery } from "@/lib/queries/fleet";
import { LaunchLine } from "./launch-line";
import { ROOMS } from "./rooms";

type Command = { id: string; name: string; hint: string; icon: LucideIcon; href: Route };

const RANGES = [
  ["1h", "Last hour"],
  ["24h", "Last 24 hours"],
  ["7d", "Last 7 days"],
] as const;
const SHOWN = 12;

/** Type to go anywhere: a room, an instance by name, id or address, a window of time. */
export function CommandPalette({ canLaunch, onClose }: { canLaunch: boolean; onClose: () => void }) {
  const router = useRouter();
  const list = useId();
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const { data: fleet } = useQuery(fleetQuery());
  const isLaunch = canLaunch && isLaunchLine(words);

  const commands: Command[] = [
    ...ROOMS.filter(({ href }) => canLaunch || href !== "/launch").map(({ href, name, icon }) => ({
      id: href,
      name,
      hint: "go to",
      icon,
      href: href as Route,
    })),
    ...(fleet?.rows ?? []).map((row) => ({
      id: row.id,
      name: row.name,
      hint: `${row.typeName ?? "instance"} · ${row.ip ?? row.region}`,
      icon: Server,
      href: `/fleet/${row.id}` as Route,
    })),
    ...RANGES.map(([range, name]) => ({
      id: range,
      name: `Overview, ${name.toLowerCase()}`,
      hint: "time range",
      icon: Clock,
      href: `/?range=${range}` as Route,
    })),
  ];
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = commands
    .filter(({ name, hint, id }) => wanted.every((word) => `${name} ${hint} ${id}`.toLowerCase().includes(word)))
    .slice(0, SHOWN);
  const current = Math.min(chosen, matches.length - 1);

  const run = (command: Command | undefined) => {
    // A line never launches anything by itself: it fills in the form, where it is read once more.
    if (isLaunch) {
      onClose();
      return router.push(`/launch?line=${encodeURIComponent(words.trim())}` as Route);
    }
    if (!command) return;
    onClose();
    router.push(command.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setChosen(Math.min(current + 1, matches.length - 1));
    else if (event.key === "ArrowUp") setChosen(Math.max(current - 1, 0));
    else if (event.key === "Enter") run(matches[current]);
    else return;
    event.preventDefault();
  };

  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-shade" />
        <Base.Viewport className="dialog-place">
          <Base.Popup className="dialog is-narrow">
            <Base.Title className="sr-only">Search, or run a command</Base.Title>
            <div className="input">
              <input
                // biome-ignore lint/a11y/noAutofocus: it opens to be typed into
                autoFocus
                role="combobox"
                aria-label="Go to"
                aria-expanded={!isLaunch}
                aria-controls={list}
                aria-activedescendant={current >= 0 && !isLaunch ? `${list}-${current}` : undefined}
                placeholder={
                  canLaunch
                    ? "Go to an instance, a page, a time range; or launch 1 gh200 us-east-3 lease:8h"
                    : "Go to an instance, a page, a time range"
                }
                value={words}
                onChange={(event) => {
                  setWords(event.target.value);
                  setChosen(0);
                }}
                onKeyDown={onKeyDown}
              />
            </div>
            {isLaunch && <LaunchLine line={words} />}
            <div
              hidden={isLaunch}
              role="listbox"
              aria-label="Commands"
              id={list}
              className="palette-list"
              tabIndex={-1}
            >
              {matches.map((command, index) => {
                const { icon: Icon } = command;
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
                  <div
                    key={command.id}
                    id={`${list}-${index}`}
                    role="option"
                    tabIndex={-1}
                    aria-selected={index === current}
                    className="palette-item"
                    onMouseMove={() => setChosen(index)}
                    onClick={() => run(command)}
                  >
                    <Icon size={14} className="text-text-3" aria-hidden="true" />
                    {command.name}
                    <small>{command.hint}</small>
                    {index === current && <CornerDownLeft size={12} className="text-text-3" aria-hidden="true" />}
                  </div>
                );
              })}
              {matches.length === 0 && <p className="muted p-2">Nothing has that name.</p>}
            </div>
            <p className="muted text-11">
              {isLaunch ? (
                <>
                  <Kbd>Enter</Kbd> opens the form filled in; nothing is launched yet. <Kbd>Esc</Kbd> to close
                </>
              ) : (
                <>
                  <Kbd>↑</Kbd> <Kbd>↓</Kbd> to choose, <Kbd>Enter</Kbd> to go, <Kbd>Esc</Kbd> to close
                </>
              )}
            </p>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
