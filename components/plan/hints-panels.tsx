import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { formatPercent } from "@/lib/domain/format";
import { BATCH_BY_MEMORY, OPTIMISATIONS, USUAL_TASK_GB } from "@/lib/domain/plan/hints";
import { PART_WORDS, totalOf } from "@/lib/domain/plan/memory";
import { hintFigure } from "@/lib/domain/plan/sizing-figures";
import type { SizingAnswer } from "@/lib/domain/plan/sizing-view";
import { Formula } from "./formula";

/** What to try when memory runs out, and what to begin with. */
export function HintsPanels({ data }: { data: SizingAnswer }) {
  const total = totalOf(data.memory);
  return (
    <>
      <Panel span={6} title="When memory runs out" sub="what each change saves of this model, computed">
        {data.hints.length === 0 ? (
          <p className="muted">Nothing here saves memory: it needs little already.</p>
        ) : (
          <ul className="sizing-list">
            {data.hints.map((hint) => (
              <li key={hint.what}>
                <b>
                  <Formula figure={hintFigure(hint, data.memory)} align="start" />
                </b>{" "}
                <span className="muted">({formatPercent((100 * hint.savedBytes) / total)})</span> {hint.what}
                <small>
                  {hint.why}; mostly {PART_WORDS[hint.part]}
                </small>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel span={6} title="To begin with" sub="GPU infrastructure overview, 2024-11-04; no model is named there">
        <Table label="Batch sizes by memory" isDense isBare>
          <thead>
            <tr>
              <th scope="col">Memory of the card</th>
              <th scope="col" className="num">
                Batch
              </th>
            </tr>
          </thead>
          <tbody>
            {BATCH_BY_MEMORY.map(({ upToGb, from, to }) => (
              <tr key={upToGb}>
                <th scope="row">{upToGb} GB</th>
                <td className="num">
                  {from} to {to}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
        <p className="muted pt-2 text-12">
          Its four kinds of task usually hold{" "}
          {USUAL_TASK_GB.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(", ")} GB: a small
          card is enough for them.
        </p>
        <ul className="sizing-list pt-2">
          {OPTIMISATIONS.map(({ what, claim }) => (
            <li key={what}>
              {what}
              {claim && <small>{claim}</small>}
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}
