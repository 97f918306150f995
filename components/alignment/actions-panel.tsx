"use client";

import type { Route } from "next";
import { ButtonLink } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { type AlignmentAction, actionsOf } from "@/lib/domain/alignment/actions";
import type { AlignmentAnswer } from "@/lib/domain/alignment/view";
import { formatUsd, formatUsdChange } from "@/lib/domain/format";

const WORDS: Record<AlignmentAction["kind"], string> = {
  declare: "Edit the declaration",
  launch: "Fill in the launch",
  terminate: "Look before you end it",
  look: "Open",
};
const SHOWN = 12;

/** Ways out, each with what it changes in a day against what runs now. */
export function ActionsPanel({ data, mayDeclare }: { data: AlignmentAnswer; mayDeclare: boolean }) {
  const actions = actionsOf(data);
  if (actions.length === 0) return null;
  return (
    <Deck>
      <Panel span={12} title="What to do" sub="against what runs today" isFlush>
        <ul>
          {actions.slice(0, SHOWN).map((action) => (
            <li key={`${action.kind} ${action.href}`} className="alignment-action">
              <span>
                <b>{action.title}</b>
                <span className="text-text-2">{action.text}</span>
              </span>
              <span className="num">
                {action.dayMicros === null
                  ? ""
                  : action.dayMicros === 0n
                    ? `${formatUsd(0n)}/day`
                    : `${formatUsdChange(action.dayMicros)}/day`}
              </span>
              {(action.kind !== "declare" || mayDeclare) && (
                <span className="not-print">
                  <ButtonLink
                    size="small"
                    look={action.kind === "declare" ? "primary" : "secondary"}
                    href={action.href as Route}
                  >
                    {WORDS[action.kind]}
                  </ButtonLink>
                </span>
              )}
            </li>
          ))}
        </ul>
        {actions.length > SHOWN && <p className="muted px-4 pb-3">and {actions.length - SHOWN} more, in the report</p>}
      </Panel>
    </Deck>
  );
}
