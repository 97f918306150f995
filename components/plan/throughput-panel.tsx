import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatNumber } from "@/lib/domain/format";
import {
  BENCHMARK_SOURCE,
  BENCHMARKS,
  type Benchmark,
  hoursFigure,
  inFlightFigure,
  type Measured,
  measuredFigure,
  requestsFigure,
  speedFigure,
  tokensFigure,
} from "@/lib/domain/plan/benchmarks";
import type { Figure } from "@/lib/domain/plan/formula";
import { gpuOf } from "@/lib/domain/plan/sizing";
import { Formula } from "./formula";

/** What tokens and requests cost: measured where programs count them, stated and unverified otherwise. */
export function ThroughputPanel({ measured, days }: { measured: readonly Measured[]; days: number }) {
  return (
    <Panel
      span={12}
      isFlush
      title="What its work costs"
      sub={`measured in ${days} days by ledger and counters first; below, what one requirement states, unverified`}
      actions={
        <Link className="link" href={"/cost/units?by=model" as Route}>
          Unit costs
        </Link>
      }
    >
      <Table label="Cost of tokens and requests" isDense>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">On</th>
            <th scope="col" className="num">
              Tokens a second
            </th>
            <th scope="col" className="num">
              100M tokens take
            </th>
            <th scope="col" className="num">
              Per 100M tokens
            </th>
            <th scope="col" className="num">
              Requests a second
            </th>
            <th scope="col" className="num">
              In flight
            </th>
            <th scope="col" className="num">
              Per million requests
            </th>
            <th scope="col">Evidence</th>
          </tr>
        </thead>
        <tbody>
          {measured.map((one) => (
            <MeasuredRow key={one.model} one={one} days={days} />
          ))}
          {BENCHMARKS.map((one) => (
            <StatedRow key={one.model} one={one} />
          ))}
        </tbody>
      </Table>
      <p className="cost-remark">
        150 requests a second at 120 ms are 18 in flight (Little’s law): the stated figures are of many streams, not of
        one.
      </p>
    </Panel>
  );
}

function MeasuredRow({ one, days }: { one: Measured; days: number }) {
  const speed = speedFigure(one, days);
  const none = "no tokens were counted";
  return (
    <tr>
      <th scope="row">{one.model}</th>
      <td className="text-text-2">this fleet</td>
      <Cell figure={speed} without={none} />
      <Cell
        figure={speed?.amount ? hoursFigure(one.model, speed.amount, { label: "measured here" }) : null}
        without={none}
      />
      <Cell figure={measuredFigure(one, "tokens", days)} without={none} />
      <Cell figure={null} without="see the run" />
      <Cell figure={null} without="see the run" />
      <Cell figure={measuredFigure(one, "requests", days)} without="no requests were counted" />
      <td>measured</td>
    </tr>
  );
}

function StatedRow({ one }: { one: Benchmark }) {
  return (
    <tr>
      <th scope="row">{one.model}</th>
      <td className="text-text-2">
        {one.gpus > 1 ? `${one.gpus} × ` : ""}
        {gpuOf(one.gpu).name}, {one.typeName}
      </td>
      <td className="num text-text-2">{formatNumber(one.tokensPerSecond)}</td>
      <Cell figure={hoursFigure(one.model, one.tokensPerSecond, BENCHMARK_SOURCE)} without="not stated" />
      <Cell figure={tokensFigure(one)} without="not stated" />
      <td className="num text-text-2">
        {one.requestsPerSecond === null ? <Missing reason="not stated" /> : formatNumber(one.requestsPerSecond)}
      </td>
      <Cell figure={inFlightFigure(one)} without="no latency is taken over" />
      <Cell figure={requestsFigure(one)} without="not stated" />
      <td className="muted">stated, unverified</td>
    </tr>
  );
}

function Cell({ figure, without }: { figure: Figure | null; without: string }) {
  return <td className="num">{figure === null ? <Missing reason={without} /> : <Formula figure={figure} />}</td>;
}
