"use client";

type Props = {
  /** What is chosen: "gh-train-02", "all 9 instances". */
  label: string;
  /** "some": chosen in part, as the head of a table shows it. */
  checked: boolean | "some";
  onChange: (checked: boolean) => void;
};

/** The box at the start of a table's row. */
export function RowCheckbox({ label, checked, onChange }: Props) {
  return (
    <label className="row-checkbox">
      <span className="sr-only">Select {label}</span>
      <input
        type="checkbox"
        checked={checked === true}
        ref={(box) => {
          if (box) box.indeterminate = checked === "some";
        }}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}
