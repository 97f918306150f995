"use client";

import { useQueryClient } from "@tanstack/react-query";
import { BellOff } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Confirm } from "@/components/settings/confirm";
import type { Act } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Deck, Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { formatNumber, formatUsd } from "@/lib/domain/format";
import { matcherText } from "@/lib/domain/silences/matchers";
import { SILENCE_WORDS } from "@/lib/domain/silences/silence";
import type { SilenceRow } from "@/lib/domain/silences/view";
import { SILENCES, silencesQuery } from "@/lib/queries/silences";
import { type CreateSilence, NewSilenceButton } from "./silence-form";
import { PHASE_WORDS, recurrenceWords } from "./silence-words";

type Props = {
  /** Null: this role sees them and places none. */
  create: CreateSilence | null;
  end: Act<{ silenceId: string }, { id: string }>;
  mayLong: boolean;
  initial: string;
};

/** What is kept back now, what will be, and what was, with what each has cost. */
export function SilencesPanel({ create, end, mayLong, initial }: Props) {
  const { data } = useLive(silencesQuery());
  const client = useQueryClient();
  const ended: Props["end"] = async (input) => {
    const result = await end(input);
    await client.invalidateQueries({ queryKey: [SILENCES] });
    return result;
  };
  const placed: CreateSilence | null =
    create &&
    (async (input) => {
      const result = await create(input);
      await client.invalidateQueries({ queryKey: [SILENCES] });
      return result;
    });
  const open = data.rows.filter(({ phase }) => phase !== "over");
  const over = data.rows.filter(({ phase }) => phase === "over");
  const button = placed && <NewSilenceButton create={placed} mayLong={mayLong} initial={initial} />;
  return (
    <Deck>
      <Panel title="In force and planned" span={12} isFlush={open.length > 0} actions={open.length > 0 && button}>
        {open.length === 0 ? (
          <Empty
            icon={BellOff}
            title="Nothing is kept back"
            text="Every alert is told by its routes. A silence keeps messages back for a while, with a reason and an end."
            action={button}
          />
        ) : (
          <Rows label="Silences in force and planned" rows={open} end={ended} />
        )}
      </Panel>
      {over.length > 0 && (
        <Panel title="Over" sub="the last 30 days" span={12} isFlush>
          <Rows label="Silences that are over" rows={over} end={ended} />
        </Panel>
      )}
    </Deck>
  );
}

function Rows({ label, rows, end }: { label: string; rows: readonly SilenceRow[]; end: Props["end"] }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">Which alerts, and why</th>
          <th scope="col">State</th>
          <th scope="col">From</th>
          <th scope="col">To</th>
          <th scope="col" className="num">
            Keeps back
          </th>
          <th scope="col" className="num">
            Spent meanwhile
          </th>
          <th scope="col">
            <span className="sr-only">Act</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" className="silence-what">
              <span className="mono">{matcherText(row.matchers)}</span>
              <small>
                {row.reason} · {row.createdBy}
                {row.ticketUrl && (
                  <>
                    {" · "}
                    <a className="link" href={row.ticketUrl} rel="noreferrer noopener" target="_blank">
                      Ticket
                    </a>
                  </>
                )}
                {row.recurrence && <> · {recurrenceWords(row.recurrence)}</>}
              </small>
            </th>
            <td>
              <Badge tone={row.phase === "active" ? "warn" : "mute"}>{PHASE_WORDS[row.phase]}</Badge>
              <small className="silence-sub">{SILENCE_WORDS[row.kind]}</small>
            </td>
            <td className="whitespace-nowrap">
              <Instant at={row.startsAt} />
            </td>
            <td className="whitespace-nowrap">
              <Instant at={Math.min(row.endsAt, row.endedAt ?? row.endsAt)} />
              {row.endedBy && <small className="silence-sub">ended by {row.endedBy}</small>}
            </td>
            <td className="num">
              {row.phase === "over" ? `${formatNumber(row.hidden)} in all` : formatNumber(row.hidesNow)}
              {row.phase !== "over" && row.hidden > 0 && <small className="silence-sub">{row.hidden} so far</small>}
            </td>
            <td className="num">
              {row.spentMicros === null ? (
                <Missing reason="The price of one of its machines is not known" />
              ) : (
                formatUsd(row.spentMicros)
              )}
            </td>
            <td className="num">
              {row.mayEnd && (
                <Confirm
                  trigger={<Button>End now</Button>}
                  title="End this silence now?"
                  word="End it"
                  done="The silence has ended"
                  act={end}
                  input={{ silenceId: row.id }}
                >
                  What still fires is told with the next messages.
                </Confirm>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
