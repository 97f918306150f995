import type { CSSProperties } from "react";
import { cx } from "@/components/ui/cx";
import { PLAN_GPUS } from "@/lib/domain/plan/gpus";
import {
  CONTEXT_BYTES,
  GIB,
  type Memory,
  type ModelPlan,
  PART_WORDS,
  PARTS,
  type Part,
  totalOf,
} from "@/lib/domain/plan/memory";
import { gib, partFigure, totalFigure } from "@/lib/domain/plan/sizing-figures";
import { Formula } from "./formula";

const SLOTS: Record<Part | "driver", string> = {
  weights: "var(--chart-1)",
  kv: "var(--chart-3)",
  activations: "var(--chart-2)",
  gradients: "var(--chart-4)",
  optimizer: "var(--chart-6)",
  logits: "var(--chart-5)",
  driver: "var(--chart-7)",
};

const slot = (key: Part | "driver"): CSSProperties => ({ "--slot": SLOTS[key] }) as CSSProperties;

/** What a model needs on one GPU, part by part, with marks where known cards end. */
export function MemoryBar({ plan, memory }: { plan: ModelPlan; memory: Memory }) {
  const total = totalOf(memory) + CONTEXT_BYTES;
  const most = total * 1.3;
  const parts = PARTS.filter((part) => memory[part] > 0);
  const share = (bytes: number) => `${Math.min(100, (100 * bytes) / most)}%`;
  const marks = PLAN_GPUS.filter(
    ({ key, reportedMib }) =>
      MARKED.has(key) && reportedMib * 1024 ** 2 < most && reportedMib * 1024 ** 2 > most * 0.06,
  ).slice(-4);
  return (
    <>
      <p className="flex items-baseline gap-3">
        <b>
          <Formula figure={totalFigure(plan)} align="start">
            {gib(total)} needed
          </Formula>
        </b>
        <span className="muted text-12">on one GPU, or shared out over several</span>
      </p>
      <div
        className="memory-bar"
        role="img"
        aria-label={parts.map((part) => `${PART_WORDS[part]} ${gib(memory[part])}`).join(", ")}
      >
        {parts.map((part) => (
          <i key={part} style={{ width: share(memory[part]), ...slot(part) }}>
            {memory[part] > most * 0.18 && (
              <span>
                <b>{PART_WORDS[part]}</b>
                {gib(memory[part])}
              </span>
            )}
          </i>
        ))}
        <i style={{ width: share(CONTEXT_BYTES), ...slot("driver") }} />
        {marks.map(({ key, name, reportedMib }, index) => (
          <u
            key={key}
            style={{ left: share(reportedMib * 1024 ** 2) }}
            className={cx(reportedMib * 1024 ** 2 > most * 0.85 && "is-end", index % 2 === 1 && "is-low")}
          >
            <span>
              {name} {gib(reportedMib * 1024 ** 2)}
            </span>
          </u>
        ))}
      </div>
      <ul className="memory-parts">
        {parts.map((part) => {
          const figure = partFigure(plan, part);
          return (
            <li key={part} style={slot(part)}>
              <i aria-hidden="true" />
              {PART_WORDS[part]} {figure && <Formula figure={figure} align="start" />}
              {part === "weights" && plan.task !== "lora" && (
                <span className="muted"> ({Number((memory.weights / 1e9).toPrecision(4))} GB)</span>
              )}
            </li>
          );
        })}
        <li style={slot("driver")}>
          <i aria-hidden="true" />
          driver and context {(CONTEXT_BYTES / GIB).toFixed(1)} GiB
        </li>
      </ul>
    </>
  );
}

/** One mark for each size of card, so that the words have room. */
const MARKED = new Set(["t4", "a10", "a100-40", "h100-sxm", "gh200", "h200", "b200"]);
