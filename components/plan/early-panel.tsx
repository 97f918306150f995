import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { formatPercent } from "@/lib/domain/format";
import { earlyLines } from "@/lib/domain/plan/early-stop";
import { Formula } from "./formula";

/** Why the range that one requirement promises of early stopping cannot be. */
export function EarlyPanel() {
  return (
    <Panel
      span={12}
      isFlush
      title="Stopping early, explained"
      sub="30 to 51 % were promised for at most 5 of 10 epochs; equal epochs save at least 50 %"
    >
      <Table label="Early stopping" isDense>
        <thead>
          <tr>
            <th scope="col">A run of ten epochs, 12 h</th>
            <th scope="col" className="num">
              Saved
            </th>
            <th scope="col" className="num">
              Left to pay
            </th>
            <th scope="col">Possible under the rule</th>
          </tr>
        </thead>
        <tbody>
          {earlyLines().map(({ words, savedPct, saved, isPossible, figure }) => (
            <tr key={words}>
              <th scope="row">{words}</th>
              <td className="num">{saved ? <Formula figure={saved} /> : formatPercent(savedPct)}</td>
              <td className="num">
                <Formula figure={figure} />
              </td>
              <td className="text-text-2">
                {isPossible ? "yes" : "no: five epochs cost half, and no run may go on longer"}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
