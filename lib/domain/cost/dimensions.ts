/** By what the statement of a month is split. */
export const DIMENSIONS = ["team", "project", "type", "region", "instance"] as const;

/** By what spend may be stacked and filtered; the order is that of the choice. */
export const SPEND_DIMENSIONS = [
  "team",
  "project",
  "environment",
  "costCentre",
  "owner",
  "type",
  "region",
  "instance",
  "charge",
  "workload",
  "workspace",
] as const;
export type SpendDimension = (typeof SPEND_DIMENSIONS)[number];

/** Which rows are meant: for each dimension that is named, those of any of its values; "" is whom nobody was named for. */
export type SpendFilter = Partial<Record<SpendDimension, readonly string[]>>;

/** `a,b` with a backslash before a comma that belongs to a value: how a filter stands in an address. */
export function filterText(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\,]/g, "\\$&")).join(",");
}

export function filterValues(text: string): string[] {
  const values = [""];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === ",") values.push("");
    else values[values.length - 1] += sign === "\\" ? (text[++at] ?? "") : sign;
  }
  return [...new Set(values)];
}
