"use client";

import { useQuestion } from "@/components/cost/use-question";
import { Checkbox } from "@/components/ui/choice";
import { SelectField } from "@/components/ui/field";
import { type ModelPlan, PRECISION_WORDS, PRECISIONS, TASK_WORDS, TASKS } from "@/lib/domain/plan/memory";
import type { SizingQuestion } from "@/lib/domain/plan/sizing";
import { AskField } from "./ask-field";

/** What is to be run. Every change is in the address, so a link shows the same. */
export function SizingForm({ question, plan }: { question: SizingQuestion; plan: ModelPlan }) {
  const { ask } = useQuestion();
  const isTraining = question.task !== "inference";
  return (
    <>
      <div className="sizing-form">
        <AskField
          label="Parameters"
          unit="B"
          value={String(question.params)}
          min={0.001}
          max={5000}
          step="any"
          // Layers and width belong to the size that they were said for.
          onAsk={(params) => ask({ params, layers: undefined, width: undefined })}
        />
        <SelectField
          label="Precision"
          value={question.precision}
          onChange={({ target }) => ask({ precision: target.value === "bf16" ? undefined : target.value })}
        >
          {PRECISIONS.map((precision) => (
            <option key={precision} value={precision}>
              {PRECISION_WORDS[precision]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Task"
          value={question.task}
          onChange={({ target }) => ask({ task: target.value === "inference" ? undefined : target.value })}
        >
          {TASKS.map((task) => (
            <option key={task} value={task}>
              {TASK_WORDS[task]}
            </option>
          ))}
        </SelectField>
        <AskField
          label={isTraining ? "Batch" : "Sequences at once"}
          value={String(question.batch)}
          min={1}
          max={65_536}
          onAsk={(batch) => ask({ batch })}
        />
        <AskField
          label="Context"
          unit="tokens"
          value={String(question.context)}
          min={1}
          max={4_000_000}
          onAsk={(context) => ask({ context })}
        />
        <AskField label="Layers" value={String(plan.layers)} min={1} max={1_000} onAsk={(layers) => ask({ layers })} />
        <AskField label="Width" value={String(plan.width)} min={16} max={200_000} onAsk={(width) => ask({ width })} />
        {!isTraining && (
          <AskField
            label="Key-value heads"
            unit="% of all"
            value={String(question.kv)}
            min={1}
            max={100}
            onAsk={(kv) => ask({ kv })}
          />
        )}
        {question.task === "lora" && (
          <AskField
            label="Rank of LoRA"
            value={String(question.rank)}
            min={1}
            max={4_096}
            onAsk={(rank) => ask({ rank })}
          />
        )}
      </div>
      {isTraining && (
        <div className="sizing-choices">
          <Checkbox
            label="Gradient checkpointing"
            hint="activations are computed again on the way back"
            checked={question.checkpoints}
            onChange={({ target }) => ask({ checkpoints: target.checked ? undefined : "false" })}
          />
          <Checkbox
            label="8-bit optimiser"
            hint="its two states in one byte each"
            checked={question.small}
            onChange={({ target }) => ask({ small: target.checked ? "true" : undefined })}
          />
        </div>
      )}
    </>
  );
}
