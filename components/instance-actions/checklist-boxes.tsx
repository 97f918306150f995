"use client";

import { Checkbox } from "@/components/ui/choice";
import type { ChosenChecklist } from "@/lib/domain/intents/checklist";

type Props = { list: ChosenChecklist; ticked: readonly string[]; onChange: (ticked: string[]) => void };

/** What the team wants looked at first. What is ticked is kept with the request. */
export function ChecklistBoxes({ list, ticked, onChange }: Props) {
  if (list.items.length === 0) return null;
  return (
    <fieldset className="check-boxes">
      <legend>
        Before it ends <span className="muted">{list.name}, kept with the request</span>
      </legend>
      {list.items.map(({ text, isRequired }) => (
        <Checkbox
          key={text}
          label={
            <>
              {text}
              {isRequired && <span className="text-warn"> (must be ticked)</span>}
            </>
          }
          checked={ticked.includes(text)}
          onChange={(event) =>
            onChange(event.target.checked ? [...ticked, text] : ticked.filter((one) => one !== text))
          }
        />
      ))}
    </fieldset>
  );
}
