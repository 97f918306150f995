"use client";

import { Note } from "@/components/ui/note";
import { SeverityLabel } from "@/components/ui/status";
import { FACT_WORDS } from "@/lib/domain/alignment/check";
import type { DiffLine } from "@/lib/domain/alignment/diff";
import type { DeclarationPreview } from "@/lib/domain/alignment/view";
import { formatCount, formatUsd } from "@/lib/domain/format";

const AROUND = 3;
const MOST_FINDINGS = 20;

type Props = { preview: DeclarationPreview; onLine: (line: number) => void };

/** What is wrong with a text, what it changes, and what would be found at once. */
export function PreviewPanel({ preview, onLine }: Props) {
  const { problems, findings, totals } = preview;
  return (
    <section className="grid gap-3" aria-label="What would change" aria-live="polite">
      {problems.length > 0 ? (
        <Note tone="crit">
          <b>{formatCount(problems.length, "thing")} to put right.</b> Nothing can be declared yet.
        </Note>
      ) : (
        <Note tone={findings.length > 0 ? "warn" : "ok"}>
          <b>It can be declared.</b>{" "}
          {findings.length === 0
            ? "By what was seen last, nothing would differ."
            : `By what was seen last, ${formatCount(findings.length, "fact")} would differ.`}
          {totals && ` ${formatUsd(totals.declaredMicros)} a month declared, ${formatUsd(totals.observedMicros)} runs.`}
        </Note>
      )}
      {problems.length > 0 && (
        <ul className="problems">
          {problems.map(({ line, path, message }) => (
            <li key={`${line} ${path} ${message}`}>
              {line !== null && (
                <button type="button" className="link" onClick={() => onLine(line)}>
                  Line {line}
                </button>
              )}{" "}
              {path && <code className="mono">{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      <Diff lines={preview.diff} />
      {findings.length > 0 && (
        <ul className="grid gap-1">
          {findings.slice(0, MOST_FINDINGS).map(({ fact, severity, target, why }) => (
            <li key={`${fact} ${target}`} className="flex flex-wrap gap-x-3">
              <SeverityLabel of={severity}>{FACT_WORDS[fact]}</SeverityLabel>
              <b>{target}</b>
              <span className="text-text-2">{why}</span>
            </li>
          ))}
          {findings.length > MOST_FINDINGS && <li className="muted">and {findings.length - MOST_FINDINGS} more</li>}
        </ul>
      )}
    </section>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

/** Changed lines with a few around them. */
function Diff({ lines }: { lines: readonly DiffLine[] }) {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ kind }) => kind !== "same"),
  );
  const shown = lines.flatMap((line, i) => (near[i] ? [{ line, isAfterGap: i > 0 && !near[i - 1] }] : []));
  if (shown.length === 0) return <p className="muted">The text is the one that holds.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable
    <section className="diff" aria-label="Changed lines" tabIndex={0}>
      {shown.map(({ line, isAfterGap }) => (
        <p key={`${line.kind} ${line.line}`} data-kind={line.kind} className={isAfterGap ? "border-line border-t" : ""}>
          <i>{line.line}</i>
          <span>
            {SIGNS[line.kind]}
            <span className="sr-only">
              {line.kind === "added" ? "added" : line.kind === "removed" ? "removed" : ""}
            </span>
          </span>
          <span>{line.text}</span>
        </p>
      ))}
    </section>
  );
}
