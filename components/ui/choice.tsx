import type { ComponentProps, ReactNode } from "react";

type Props = Omit<ComponentProps<"input">, "type" | "children"> & { label: ReactNode; hint?: ReactNode };

export function Checkbox({ label, hint, ...input }: Props) {
  return (
    <label className="choice">
      <input type="checkbox" {...input} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}

/** One of several; all with the same `name`, in a `fieldset` with a `legend`. */
export function RadioRow({ label, hint, ...input }: Props) {
  return (
    <label className="choice">
      <input type="radio" {...input} />
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
    </label>
  );
}
