import type { Route } from "next";
import Link from "next/link";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatNumber } from "@/lib/domain/format";
import {
  BENCHMARKS,
  hoursFor,
  inFlight,
  type Measured,
  measuredFigure,
  requestsFigure,
  tokensFigure,
} from "@/lib/domain/plan/benchmarks";
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
          {measured.map((one) => {
            const tokens = measuredFigure(one, "tokens", days);
            const requests = measuredFigure(one, "requests", days);
            return (
              <tr key={one.model}>
                <th scope="row">{one.model}</th>
                <td className="text-text-2">this fleet</td>
                <td className="num text-text-2">
                  {one.tokensPerSecond === null ? (
                    <Missing reason="no tokens were counted" />
                  ) : (
                    formatNumber(one.tokensPerSecond)
                  )}
                </td>
                <td className="num text-text-2">
                  {one.tokensPerSecond === null || one.tokensPerSecond === 0 ? (
                    <Missing reason="no tokens were counted" />
                  ) : (
                    `${formatNumber(hoursFor(one.tokensPerSecond), 1)} h`
                  )}
                </td>
                <td className="num">
                  {tokens === null ? <Missing reason="no tokens were counted" /> : <Formula figure={tokens} />}
                </td>
                <td className="num text-text-2">
                  <Missing reason="see the run" />
                </td>
                <td className="num text-text-2">
                  <Missing reason="see the run" />
                </td>
                <td className="num">
                  {requests === null ? <Missing reason="no requests were counted" /> : <Formula figure={requests} />}
                </td>
                <td>measured</td>
              </tr>
            );
          })}
          {BENCHMARKS.map((one) => {
            const requests = requestsFigure(one);
            const gpu = gpuOf(one.gpu);
            return (
              <tr key={one.model}>
                <th scope="row">{one.model}</th>
                <td className="text-text-2">
                  {one.gpus > 1 ? `${one.gpus} × ` : ""}
                  {gpu.name}, {one.typeName}
                </td>
                <td className="num text-text-2">{formatNumber(one.tokensPerSecond)}</td>
                <td className="num text-text-2">{formatNumber(hoursFor(one.tokensPerSecond), 2)} h</td>
                <td className="num">
                  <Formula figure={tokensFigure(one)} />
                </td>
                <td className="num text-text-2">
                  {one.requestsPerSecond === null ? (
                    <Missing reason="not stated" />
                  ) : (
                    formatNumber(one.requestsPerSecond)
                  )}
                </td>
                <td className="num text-text-2">
                  {one.requestsPerSecond === null || one.p95Ms === null ? (
                    <Missing reason="no latency is taken over" />
                  ) : (
                    formatNumber(inFlight(one.requestsPerSecond, one.p95Ms))
                  )}
                </td>
                <td className="num">
                  {requests === null ? <Missing reason="not stated" /> : <Formula figure={requests} />}
                </td>
                <td className="muted">stated, unverified</td>
              </tr>
            );
          })}
        </tbody>
      </Table>
      <p className="cost-remark">
        150 requests a second at 120 ms are 18 in flight (Little’s law): the stated figures are of many streams, not of
        one.
      </p>
    </Panel>
  );
}
