"use client";

import { useQuery } from "@tanstack/react-query";
import type { Route } from "next";
import { useEffect, useState } from "react";
import { KeyFigure } from "@/components/ui/key-figure";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { ErrorState, Loading } from "@/components/ui/states";
import { Table } from "@/components/ui/table";
import { formatCount, formatNumber, formatUsd } from "@/lib/domain/format";
import type { PreviewAnswer } from "@/lib/domain/policies/view";
import { AnswerError } from "@/lib/queries/fetch";
import { policyPreviewQuery } from "@/lib/queries/policies";
import type { PolicyDraft } from "./draft";

/** What a schedule or an idle policy would have done over the last month, asked anew with every change. */
export function PolicyPreview({ draft }: { draft: PolicyDraft }) {
  const asked = useLate(JSON.stringify(draft));
  const { data, isFetching, error, refetch } = useQuery(policyPreviewQuery(asked));
  const isUnreadable = error instanceof AnswerError && error.status === 400;
  return (
    <Panel
      title="The last month under it"
      sub="from what was measured, and what was paid"
      isRefreshing={isFetching && data !== undefined}
    >
      {isUnreadable ? (
        <p className="muted">
          Something in the form is missing or wrong; what it would have done stands here afterwards.
        </p>
      ) : error !== null && data === undefined ? (
        <ErrorState title="The month cannot be tried" text={error.message} onRetry={() => refetch()} />
      ) : data === undefined ? (
        <Loading rows={5} />
      ) : data.result === null ? (
        <p className="muted">What this kind does cannot be read off the past.</p>
      ) : (
        <Result result={data.result} kind={draft.kind} />
      )}
    </Panel>
  );
}

function Result({ result, kind }: { result: NonNullable<PreviewAnswer["result"]>; kind: PolicyDraft["kind"] }) {
  const isSchedule = kind === "schedule";
  const touched = result.machines.filter(({ ends }) => ends > 0);
  const others = result.machines.length - touched.length;
  return (
    <>
      <div className="policy-figures">
        <KeyFigure
          label="Money saved"
          value={formatUsd(result.savedMicros)}
          note={`of ${formatUsd(result.costMicros)} that these instances cost`}
        />
        <KeyFigure
          label="Work cut"
          value={`${formatNumber(result.cutGpuHours, 1)} GPU-h`}
          note={
            isSchedule
              ? `${formatCount(result.cutRuns, "run")} of those written down`
              : "nothing was computed in the time saved"
          }
        />
        <KeyFigure
          label="Ends"
          value={formatNumber(result.ends)}
          note={`${formatCount(result.relaunches, "launch", "launches")} more to work again`}
        />
      </div>
      {result.unheardHours >= 1 && (
        <p className="muted">
          {formatNumber(result.unheardHours)} paid hours were not heard; what is missing is taken for busy.
        </p>
      )}
      {result.unpricedHours >= 1 && (
        <p className="muted">{formatNumber(result.unpricedHours)} hours have no known price and are not in the sum.</p>
      )}
      {touched.length === 0 ? (
        <p className="muted">
          {others === 0
            ? "No instance of the last month fits it."
            : `It would have ended none of ${formatCount(others, "instance")}.`}
        </p>
      ) : (
        <Table label="By instance" isDense isBare>
          <thead>
            <tr>
              <th scope="col">Instance</th>
              <th scope="col" className="num">
                Paid, h
              </th>
              <th scope="col" className="num">
                Saved, h
              </th>
              <th scope="col" className="num">
                Saved
              </th>
              <th scope="col" className="num">
                Cut, GPU-h
              </th>
              <th scope="col" className="num">
                Ends
              </th>
            </tr>
          </thead>
          <tbody>
            {touched.map((machine) => (
              <tr key={machine.resourceId}>
                <th scope="row">
                  <Link className="name-link" href={`/fleet/${machine.resourceId}` as Route}>
                    {machine.name}
                  </Link>
                </th>
                <td className="num">{formatNumber(machine.billedHours)}</td>
                <td className="num">{formatNumber(machine.savedHours)}</td>
                <td className="num">{formatUsd(machine.savedMicros)}</td>
                <td className="num">
                  {formatNumber(machine.cutGpuHours, 1)}
                  {machine.cutRuns > 0 && <small className="policy-sub">{formatCount(machine.cutRuns, "run")}</small>}
                </td>
                <td className="num">{formatNumber(machine.ends)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {touched.length > 0 && others > 0 && (
        <p className="muted policy-others">{formatCount(others, "other instance")} would have been left alone.</p>
      )}
    </>
  );
}

const LATE_MS = 400;

/** What was typed, once nobody has typed for a moment. */
function useLate(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), LATE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}
