"use client";

import { Download, FileText, Printer, Scale } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Formula } from "@/components/plan/formula";
import type { Act } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { KeyFigure } from "@/components/ui/key-figure";
import { Deck, Panel } from "@/components/ui/panel";
import { Empty } from "@/components/ui/states";
import { shapes } from "@/components/ui/status";
import { TableLinks } from "@/components/ui/table-links";
import { Age, Instant } from "@/components/ui/time";
import { moneyFigure } from "@/lib/domain/alignment/effect";
import type { AlignmentAnswer } from "@/lib/domain/alignment/view";
import { verdictSentence, verdictWords } from "@/lib/domain/alignment/words";
import { formatUsd } from "@/lib/domain/format";
import { alignmentQuery } from "@/lib/queries/alignment";
import { ActionsPanel } from "./actions-panel";
import { FindingsPanel } from "./findings-panel";
import { GroupPanels } from "./group-panels";
import { ValidationPanel } from "./validation-panel";
import { formatGb, formatGbChange, VERDICT_TONES } from "./words";

export type FindingActs = {
  accept: Act<{ findingIds: string[]; reason: string; until: number }, { done: number }>;
  reopen: Act<{ findingIds: string[] }, { done: number }>;
  assign: Act<{ findingIds: string[]; personId: string | null }, { done: number }>;
};

const SHAPES = { aligned: "circle-check", differs: "x", unverified: "circle-help", undeclared: "minus" } as const;

/** Is the fleet what was said? The verdict, what it rests on, and ways out. */
export function AlignmentRoom({ acts }: { acts: FindingActs | null }) {
  const { data } = useLive(alignmentQuery());
  return (
    <div className="alignment">
      <Head data={data} />
      {data.declared === null ? (
        <Deck>
          <Panel span={12}>
            <Empty
              icon={Scale}
              title="Nobody has said what the fleet should be"
              text="Declare it once: groups of machines with their GPUs, memory, prices and pools. From then on every poll is compared with it."
              action={
                acts ? (
                  <span className="flex flex-wrap justify-center gap-2">
                    <ButtonLink look="primary" href={"/alignment/declaration?from=now" as Route}>
                      Declare what runs now
                    </ButtonLink>
                    <ButtonLink href={"/alignment/declaration" as Route}>Write it</ButtonLink>
                  </span>
                ) : (
                  <p className="muted">Operators and admins declare the fleet.</p>
                )
              }
            />
          </Panel>
        </Deck>
      ) : (
        <>
          <Deck>
            <Figures data={data} />
          </Deck>
          <GroupPanels data={data} />
          <FindingsPanel data={data} acts={acts} />
          <ActionsPanel data={data} mayDeclare={acts !== null} />
          <ValidationPanel data={data} />
        </>
      )}
    </div>
  );
}

function Head({ data }: { data: AlignmentAnswer }) {
  const { declared, poll, verdict } = data;
  return (
    <header className="alignment-head">
      <div>
        <p className="alignment-verdict">
          <b>{declared?.fleet ?? "The fleet"}</b>
          <Badge tone={VERDICT_TONES[verdict]} icon={shapes[SHAPES[verdict]]}>
            {verdictWords(verdict)}
          </Badge>
        </p>
        <p className="alignment-sentence">{verdictSentence(data)}</p>
        <p className="page-meta">
          {declared && (
            <span>
              Version {declared.version} of <Instant at={declared.at} year />, by {declared.by}
            </span>
          )}
          <span className="alignment-printed">
            As of <Instant at={data.now} year />
          </span>
          <span>
            {poll.at === null ? (
              "Lambda has never answered"
            ) : (
              <>
                Lambda asked <Age at={poll.at} />
              </>
            )}
          </span>
        </p>
      </div>
      {declared && (
        <div className="page-actions not-print">
          <ButtonLink icon={FileText} href={"/alignment/declaration" as Route}>
            Declaration
          </ButtonLink>
          <a className="btn" href="/api/v1/alignment/report" download>
            <Download size={14} aria-hidden="true" />
            Report
          </a>
          <Button icon={Printer} className="not-phone" onClick={() => window.print()}>
            Print
          </Button>
          <TableLinks href="/api/v1/alignment/findings?state=all" what="Findings" isInBar />
        </div>
      )}
    </header>
  );
}

function Figures({ data }: { data: AlignmentAnswer }) {
  const { totals, counts, groups, declared } = data;
  const hours = declared?.hoursPerMonth ?? 720;
  const aligned = groups.filter(({ verdict }) => verdict === "aligned").length;
  return (
    <>
      <KeyFigure
        span={3}
        label="Machines"
        value={totals.machines}
        unit={`of ${totals.declaredMachines} declared`}
        note={`${aligned} of ${groups.length} groups aligned, ${totals.reportingGpus} of ${totals.gpus} GPUs report`}
      />
      <KeyFigure
        span={3}
        label="Memory against the plan"
        value={totals.memoryGb === 0 ? formatGb(totals.declaredGb) : formatGbChange(totals.memoryGb)}
        note={
          totals.poolsGb < 0
            ? `${formatGb(-totals.poolsGb)} of pools have nothing behind them`
            : `${formatGb(totals.declaredGb)} declared, ${formatGb(totals.reportedGb)} reported`
        }
      />
      <KeyFigure
        span={3}
        label={`Money against the plan, ${hours} h`}
        value={<Formula figure={moneyFigure(data)} align="start" />}
        note={`${formatUsd(totals.declaredMicros)} declared, ${formatUsd(totals.observedMicros)} today${totals.unpriced > 0 ? `, ${totals.unpriced} without a price` : ""}`}
      />
      <KeyFigure
        span={3}
        label="Findings"
        value={counts.critical + counts.warning}
        unit={counts.critical > 0 ? `${counts.critical} critical` : "open"}
        note={`${counts.notes} notes, ${counts.pending} pending, ${counts.accepted} accepted, ${counts.unverified} not verified`}
      />
    </>
  );
}
