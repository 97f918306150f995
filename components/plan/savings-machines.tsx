import { Leaf } from "lucide-react";
import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { RowCard } from "@/components/ui/row-card";
import { Empty } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { HOURS_OF_MONTH } from "@/lib/domain/cost/waste";
import { formatCount, formatGib, formatNumber, formatUsd } from "@/lib/domain/format";
import { machineFigure, setFigure } from "@/lib/domain/plan/savings-figures";
import type { SavingMachine, SavingsAnswer } from "@/lib/domain/plan/savings-view";
import { MEASURES, type Measure } from "@/lib/domain/plan/simulate";
import { Formula } from "./formula";

/** The instances that would have saved most, with what each measure makes of them. */
export function MachinesPanel({ data }: { data: SavingsAnswer }) {
  if (data.machines.length === 0) {
    return (
      <Panel span={12} title="By instance">
        <Empty
          icon={Leaf}
          title="Nothing could have been saved"
          text="No instance of the period was idle, on a schedule, or had a cheaper place, as far as it was measured."
        />
      </Panel>
    );
  }
  return (
    <Panel
      span={12}
      isFlush
      title="By instance"
      sub={`each measure alone, then the chosen set; per ${HOURS_OF_MONTH} h; every figure opens its formula`}
    >
      <ul className="phone-only">
        {data.machines.map((machine) => (
          <MachineCard key={machine.resourceId} machine={machine} data={data} />
        ))}
      </ul>
      <div className="not-phone">
        <Table label="Savings by instance" isTight>
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col" className="num">
                Cost
              </th>
              {MEASURES.map((measure) => (
                <th key={measure} scope="col" className="num">
                  {SHORT[measure]}
                </th>
              ))}
              <th scope="col" className="num">
                Chosen set
              </th>
              <th scope="col" className="num">
                Busy off hours
              </th>
              <th scope="col" className="num">
                Peak memory
              </th>
            </tr>
          </thead>
          <tbody>
            {data.machines.map((machine) => (
              <MachineRow key={machine.resourceId} machine={machine} data={data} />
            ))}
          </tbody>
        </Table>
      </div>
      {data.more > 0 && <p className="cost-remark">{formatCount(data.more, "more instance")} in the file.</p>}
    </Panel>
  );
}

const SHORT: Record<Measure, string> = {
  idle: "Idle",
  schedule: "Schedule",
  early: "Early stop",
  move: "Move",
  rightsize: "Smaller",
  reserve: "Commit",
};

type RowProps = { machine: SavingMachine; data: SavingsAnswer };

function MachineName({ machine }: Pick<RowProps, "machine">) {
  return (
    <Link className="name-link" href={`/fleet/${machine.resourceId}` as Route}>
      {machine.name}
    </Link>
  );
}

function aboutOf({ typeName, workload, isLive }: SavingMachine): string {
  return [typeName, workload, isLive ? null : "gone"].filter(Boolean).join(", ");
}

function MachineCard({ machine, data }: RowProps) {
  const parts = MEASURES.flatMap((measure) => {
    const figure = machineFigure(machine, measure, data);
    return figure ? [{ measure, figure }] : [];
  });
  return (
    <RowCard
      name={<MachineName machine={machine} />}
      about={<span>{aboutOf(machine)}</span>}
      value={<Formula figure={setFigure(machine, data.windowMs)} />}
      more={<span>of {formatUsd(machine.micros)} paid</span>}
    >
      {parts.map(({ measure, figure }, i) => (
        <span key={measure}>
          {i > 0 && ", "}
          {SHORT[measure].toLowerCase()} <Formula figure={figure} align="start" />
        </span>
      ))}
    </RowCard>
  );
}

function MachineRow({ machine, data }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <MachineName machine={machine} />
        <small className="run-sub">{aboutOf(machine)}</small>
      </th>
      <td className="num text-text-2">{formatUsd(machine.micros)}</td>
      {MEASURES.map((measure) => {
        const figure = machineFigure(machine, measure, data);
        return (
          <td key={measure} className="num">
            {figure === null ? <span className="muted">0</span> : <Formula figure={figure} />}
          </td>
        );
      })}
      <td className="num">
        <b>
          <Formula figure={setFigure(machine, data.windowMs)} />
        </b>
      </td>
      <td className="num text-text-2">{formatNumber(machine.off.busy / 60, 1)} h</td>
      <td className="num text-text-2">
        {machine.peakMib === null ? <Missing reason="memory was not reported" /> : formatGib(machine.peakMib)}
      </td>
    </tr>
  );
}
