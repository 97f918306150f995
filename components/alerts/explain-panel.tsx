"use client";

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import type { ExplainAnswer, ExplainedSlot } from "@/lib/domain/alerts/explain";
import type { AlertRow } from "@/lib/domain/alerts/view";
import { valueText } from "@/lib/domain/alerts/words";
import { formatCount } from "@/lib/domain/format";
import { formatDurationExact } from "@/lib/domain/format-time";
import { alertQuery, explainQuery } from "@/lib/queries/alerts";
import { When } from "./when";

/** How the alert was judged, evaluation by evaluation; worked out only when somebody asks. */
export function ExplainPanel({ alertId }: { alertId: string }) {
  const { data } = useLive(alertQuery({ alertId }));
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState<number | undefined>(undefined);
  const { data: said, isError, isFetching, refetch } = useQuery({ ...explainQuery({ alertId, at }), enabled: isOpen });
  const { row } = data;
  return (
    <Panel
      title="Evaluations"
      sub={said?.asked ? "what each one saw, as it was judged" : "what each one saw"}
      className="is-evaluations"
      isRefreshing={isFetching && said !== undefined}
      actions={
        <Button look="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Close" : "Replay evaluations"}
        </Button>
      }
    >
      {!isOpen && <p className="muted">Scrub through the episode: value and verdict of each evaluation.</p>}
      {isOpen && isError && (
        <Note tone="crit" action={<Button onClick={() => refetch()}>Try again</Button>}>
          <b>The evaluations could not be read.</b> Nothing was changed.
        </Note>
      )}
      {isOpen && !isError && !said && <p className="muted">Working it out…</p>}
      {isOpen && said && said.slots.length === 0 && <p className="muted">{said.remark}</p>}
      {isOpen && said && said.slots.length > 0 && (
        <Scrubber key={said.slots[0]?.slot} said={said} row={row} onJump={setAt} />
      )}
    </Panel>
  );
}

const NEAR = 4;

function Scrubber({ said, row, onJump }: { said: ExplainAnswer; row: AlertRow; onJump: (at: number) => void }) {
  const { slots } = said;
  const id = useId();
  const firedAt = slots.findIndex(({ slot }) => slot === row.firedAt);
  const change = slots.findIndex(({ isChange }) => isChange);
  const [index, setIndex] = useState(firedAt >= 0 ? firedAt : Math.max(0, change));
  const chosen = slots[index];
  if (!chosen) return null;
  const from = Math.max(0, Math.min(index - NEAR, slots.length - 2 * NEAR - 1));
  const turn = (by: 1 | -1) => {
    for (let i = index + by; i >= 0 && i < slots.length; i += by) if (slots[i]?.isChange) return setIndex(i);
  };
  const first = slots[0]?.slot ?? 0;
  const last = slots.at(-1)?.slot ?? 0;
  return (
    <div className="explain">
      {said.remark && <Note>{said.remark}</Note>}
      <div className="explain-bar">
        <label htmlFor={id} className="sr-only">
          Evaluation
        </label>
        <input
          id={id}
          type="range"
          min={0}
          max={slots.length - 1}
          value={index}
          aria-valuetext={`evaluation ${index + 1} of ${slots.length}, ${chosen.state}`}
          onChange={(event) => setIndex(Number(event.target.value))}
        />
        <span className="explain-track" aria-hidden="true">
          {slots.map(({ slot, state }) => (
            <i key={slot} data-state={state} />
          ))}
        </span>
      </div>
      <p className="explain-jumps">
        {said.before > 0 && (
          <Button look="ghost" onClick={() => onJump(first - said.intervalMs * 60)}>
            Earlier
          </Button>
        )}
        <Button look="ghost" onClick={() => turn(-1)}>
          Change before
        </Button>
        <Button look="ghost" onClick={() => turn(1)}>
          Next change
        </Button>
        {said.after > 0 && (
          <Button look="ghost" onClick={() => onJump(last + said.intervalMs * 120)}>
            Later
          </Button>
        )}
      </p>
      <div className="explain-pair">
        <Facts
          rows={[
            ["Evaluation", <When key="s" at={chosen.slot} seconds />],
            ["Value", valueText(row, chosen.value) ?? <Missing reason={chosen.why} />],
            ["State", chosen.state],
            ["Why", chosen.why],
          ]}
        />
        {said.asked === null ? <Counted said={said} slot={chosen} row={row} /> : <p className="muted">{said.asked}</p>}
      </div>
      <Table label="Evaluations around it" isDense>
        <thead>
          <tr>
            <th scope="col">Evaluation</th>
            <th scope="col" className="num">
              Value
            </th>
            {said.asked === null && <th scope="col">Sample</th>}
            <th scope="col">State</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {slots.slice(from, from + 2 * NEAR + 1).map((one) => (
            <tr key={one.slot} className={one === chosen ? "is-selected" : undefined}>
              <td>
                <When at={one.slot} seconds />
              </td>
              <td className="num">{valueText(row, one.value) ?? <span className="muted">none</span>}</td>
              {said.asked === null && (
                <td>
                  {one.sampleAt === null ? <span className="muted">none</span> : <When at={one.sampleAt} seconds />}
                </td>
              )}
              <td>{one.isChange ? <b>{one.state}</b> : one.state}</td>
              <td className="is-wrapping">{one.why}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const LISTED = 6;

/** The samples on which an evaluation rests. */
function Counted({ said, slot, row }: { said: ExplainAnswer; slot: ExplainedSlot; row: AlertRow }) {
  const counted =
    said.windowMs > 0
      ? said.samples.filter(({ at, isLate }) => at <= slot.slot && at > slot.slot - said.windowMs && !isLate)
      : said.samples.filter(({ at, isLate }) => at === slot.sampleAt && !isLate);
  const reach = formatDurationExact(said.windowMs > 0 ? said.windowMs : said.lookbackMs);
  return (
    <div>
      <p className="pb-1">
        <b>{formatCount(counted.length, "sample")} counted</b>{" "}
        <span className="muted">{said.windowMs > 0 ? `of the ${reach} before` : `the newest within ${reach}`}</span>
      </p>
      <ul className="explain-samples">
        {counted.slice(-LISTED).map(({ at, value }) => (
          <li key={at}>
            <When at={at} seconds /> <span>{valueText(row, value) ?? "none"}</span>
          </li>
        ))}
      </ul>
      {counted.length > LISTED && <p className="muted">and {counted.length - LISTED} before them</p>}
    </div>
  );
}
