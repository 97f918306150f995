import { ChevronDown, CircleAlert, type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./cx";

type Shared = {
  label: string;
  /** For a field whose label stands elsewhere on the page, as in a toolbar. */
  isLabelHidden?: boolean | undefined;
  hint?: ReactNode;
  /** What is wrong and what to do. Replaces the hint. */
  error?: string | null | undefined;
  icon?: LucideIcon | undefined;
};

type Wiring = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

function Frame({
  label,
  isLabelHidden,
  hint,
  error,
  icon: Icon,
  after,
  id,
  control,
}: Shared & { id: string; after?: ReactNode; control: (wiring: Wiring) => ReactNode }) {
  const note = `${id}-note`;
  const hasNote = Boolean(error) || Boolean(hint);
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? "sr-only" : "field-label"}>
        {label}
      </label>
      <div className={cx("input", error && "is-wrong")}>
        {Icon && <Icon size={14} aria-hidden="true" />}
        {control({ id, ...(hasNote && { "aria-describedby": note }), ...(error && { "aria-invalid": true }) })}
        {after}
      </div>
      {error ? (
        <p id={note} className="field-error" role="alert">
          <CircleAlert size={12} aria-hidden="true" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={note} className="field-hint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

type TextFieldProps = Shared &
  Omit<ComponentProps<"input">, "id"> & {
    /** Stands in grey at the end: "°C", "min". */
    unit?: ReactNode;
  };

export function TextField({ label, isLabelHidden, hint, error, icon, unit, ...input }: TextFieldProps) {
  const id = useId();
  return (
    <Frame
      {...{ label, isLabelHidden, hint, error, icon, id }}
      after={unit !== undefined && <span className="input-unit">{unit}</span>}
      control={(wiring) => <input autoComplete="off" {...input} {...wiring} />}
    />
  );
}

type TextAreaFieldProps = Shared & Omit<ComponentProps<"textarea">, "id">;

export function TextAreaField({ label, isLabelHidden, hint, error, icon, ...input }: TextAreaFieldProps) {
  const id = useId();
  return (
    <Frame
      {...{ label, isLabelHidden, hint, error, icon, id }}
      control={(wiring) => <textarea rows={3} {...input} {...wiring} />}
    />
  );
}

type SelectFieldProps = Shared & Omit<ComponentProps<"select">, "id"> & { children: ReactNode };

/** The system's own list: known keys, the wheel on a phone, no script. */
export function SelectField({ label, isLabelHidden, hint, error, icon, children, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <Frame
      {...{ label, isLabelHidden, hint, error, icon, id }}
      after={<ChevronDown size={14} aria-hidden="true" />}
      control={(wiring) => (
        <select {...select} {...wiring}>
          {children}
        </select>
      )}
    />
  );
}
