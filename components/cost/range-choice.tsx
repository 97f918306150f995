"use client";

import { CalendarRange } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Popover } from "@/components/ui/popover";
import type { ExploreQuestion, Window } from "@/lib/domain/cost/explore";
import { monthName } from "./words";

const DAYS = [7, 30, 90, 365] as const;
const CUSTOM = "custom";

type Change = {
  month?: string | undefined;
  days?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
};
const NONE: Change = { month: undefined, days: undefined, from: undefined, to: undefined };

type Props = {
  question: ExploreQuestion;
  window: Window;
  months: readonly { month: string; isCurrent: boolean }[];
  ask: (changes: Change) => void;
};

/** Which days: a month, the last so many, or from one to another. */
export function RangeChoice({ question, window, months, ask }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const isCustom = question.from !== undefined || question.to !== undefined;
  const value = isCustom ? CUSTOM : question.days !== undefined ? `days ${question.days}` : (question.month ?? "");
  const isListed = DAYS.some((days) => days === question.days);
  return (
    <>
      <SelectField
        label="Days"
        isLabelHidden
        value={value}
        onChange={({ target }) => {
          const [kind, days] = target.value.split(" ");
          if (target.value === CUSTOM) setIsOpen(true);
          else ask(kind === "days" ? { ...NONE, days } : { ...NONE, month: target.value || undefined });
        }}
      >
        <optgroup label="Months">
          <option value="">This month</option>
          {months
            .filter(({ isCurrent }) => !isCurrent)
            .slice(0, 24)
            .map(({ month }) => (
              <option key={month} value={month}>
                {monthName(month)}
              </option>
            ))}
        </optgroup>
        <optgroup label="Days">
          {DAYS.map((days) => (
            <option key={days} value={`days ${days}`}>
              Last {days} days
            </option>
          ))}
          {question.days !== undefined && !isListed && <option value={value}>Last {question.days} days</option>}
          <option value={CUSTOM}>From one day to another</option>
        </optgroup>
      </SelectField>
      <Popover
        title="From one accounting day to another"
        open={isOpen}
        onOpenChange={setIsOpen}
        trigger={
          <Button
            look="ghost"
            icon={CalendarRange}
            aria-label="Choose the first and the last day"
            className="btn-icon"
          />
        }
      >
        <form
          className="cost-days"
          onSubmit={(event) => {
            event.preventDefault();
            const form = new FormData(event.currentTarget);
            const days = [form.get("from"), form.get("to")].map(String).sort();
            setIsOpen(false);
            ask({ ...NONE, from: days[0], to: days[1] });
          }}
        >
          <TextField label="First day" type="date" name="from" required defaultValue={window.fromDay} />
          <TextField label="Last day" type="date" name="to" required defaultValue={window.toDay} />
          <Button type="submit" look="primary">
            Show these days
          </Button>
        </form>
      </Popover>
    </>
  );
}
