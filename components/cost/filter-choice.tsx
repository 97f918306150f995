"use client";

import { useQuery } from "@tanstack/react-query";
import { ListFilter, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { SelectField } from "@/components/ui/field";
import { Popover } from "@/components/ui/popover";
import { Loading } from "@/components/ui/states";
import { filterText, filterValues, SPEND_DIMENSIONS, type SpendDimension } from "@/lib/domain/cost/dimensions";
import type { ExploreQuestion, NamedFilter } from "@/lib/domain/cost/explore";
import { formatUsd } from "@/lib/domain/format";
import { exploreQuery } from "@/lib/queries/spend";
import { SPEND_WORDS } from "./spend-words";

const isDimension = (value: string): value is SpendDimension => SPEND_DIMENSIONS.some((one) => one === value);

type Props = { question: ExploreQuestion; ask: (changes: Record<string, string | undefined>) => void };

/** Adds a filter: a dimension, then which of its values, with what each costs. */
export function FilterChoice({ question, ask }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const [dimension, setDimension] = useState<SpendDimension>("team");
  return (
    <Popover
      title="Only rows with"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button icon={ListFilter} size="normal">
          Filter
        </Button>
      }
    >
      <div className="cost-filter">
        <SelectField
          label="Dimension"
          isLabelHidden
          value={dimension}
          onChange={({ target }) => {
            if (isDimension(target.value)) setDimension(target.value);
          }}
        >
          {SPEND_DIMENSIONS.map((one) => (
            <option key={one} value={one}>
              {SPEND_WORDS[one]}
            </option>
          ))}
        </SelectField>
        {isOpen && <Values key={dimension} {...{ question, dimension, ask }} />}
      </div>
    </Popover>
  );
}

/** All values of the window, the dearest first; a choice counts at once. */
function Values({ question, dimension, ask }: Props & { dimension: SpendDimension }) {
  const { data, error } = useQuery(exploreQuery({ ...question, [dimension]: undefined, by: dimension, per: "month" }));
  const text = question[dimension];
  const chosen = text === undefined ? [] : filterValues(text);
  if (error) return <p className="muted">{error.message}</p>;
  if (!data) return <Loading rows={4} rowHeight={24} />;
  if (data.groups.length === 0) return <p className="muted">Nothing was billed in these days.</p>;
  return (
    <fieldset className="cost-values">
      <legend className="sr-only">{SPEND_WORDS[dimension]}</legend>
      {data.groups.slice(0, 200).map((group) => (
        <Checkbox
          key={group.key}
          checked={chosen.includes(group.key)}
          label={group.label}
          hint={formatUsd(group.micros)}
          onChange={({ target }) => {
            const next = target.checked ? [...chosen, group.key] : chosen.filter((one) => one !== group.key);
            ask({ [dimension]: next.length > 0 ? filterText(next) : undefined });
          }}
        />
      ))}
    </fieldset>
  );
}

type ChipsProps = {
  filters: readonly NamedFilter[];
  onRemove: (dimension: SpendDimension) => void;
};

/** The filters that hold; each can be taken away. */
export function FilterChips({ filters, onRemove }: ChipsProps) {
  if (filters.length === 0) return null;
  return (
    <ul className="cost-chips" aria-label="Filters">
      {filters.map(({ dimension, values }) => (
        <li key={dimension}>
          <span>
            {SPEND_WORDS[dimension]}: <b>{values.map(({ label }) => label).join(", ")}</b>
          </span>
          <button
            type="button"
            aria-label={`Take away the filter on ${SPEND_WORDS[dimension].toLowerCase()}`}
            onClick={() => onRemove(dimension)}
          >
            <X size={12} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
