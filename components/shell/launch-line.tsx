"use client";

import { useQuery } from "@tanstack/react-query";
import { CheckList, countOf } from "@/components/launch/check-list";
import { draftOf } from "@/components/launch/draft";
import { LineWords } from "@/components/launch/line-words";
import { Loading } from "@/components/ui/states";
import { formatUsdRate } from "@/lib/domain/format";
import { parseLaunchLine } from "@/lib/domain/intents/one-line";
import { preflight } from "@/lib/domain/intents/preflight";
import { launchMicrosPerHour } from "@/lib/domain/intents/preflight-money";
import { launchOffersQuery } from "@/lib/queries/launch";

/** What a launch typed in one line was understood as, and what pre-flight says of it. */
export function LaunchLine({ line }: { line: string }) {
  const { data, isError } = useQuery(launchOffersQuery());
  if (!data)
    return isError ? <p className="muted p-2">What can be launched could not be read.</p> : <Loading rows={2} />;
  const read = parseLaunchLine(line, data);
  const draft = draftOf(read.fields, data);
  const offer = data.offers.find((one) => one.typeName === draft.typeName);
  const checks = preflight(draft, data).filter(({ level }) => level !== "pass");
  return (
    <div className="launch-line" role="status">
      {read.words.length === 0 ? (
        <p className="muted">launch 2 gh200 us-east-3 name:train-{"{n}"} team:nlp lease:8h</p>
      ) : (
        <LineWords line={read} />
      )}
      <p>
        <b>
          {draft.count} × {draft.typeName}, {draft.region || "no region"}
        </b>{" "}
        for {formatUsdRate(launchMicrosPerHour(draft, offer))}
        <span className="muted">
          , {countOf(checks, "error")} in the way, {countOf(checks, "warning")} to read
        </span>
      </p>
      <CheckList checks={checks} />
    </div>
  );
}
