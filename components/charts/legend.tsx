export type LegendMark = "line" | "dashed" | "dotted" | "shade" | "square" | "hatch";
export type LegendEntry = { mark: LegendMark; label: string; color?: string };

/** Only where a mark is no line with a label of its own: a band, a hatch, a part of a stack. */
export function Legend({ entries }: { entries: readonly LegendEntry[] }) {
  return (
    <ul className="legend">
      {entries.map((entry) => (
        <li key={entry.label}>
          <i className="legend-mark" data-mark={entry.mark} style={{ color: entry.color ?? "var(--text-3)" }} />
          {entry.label}
        </li>
      ))}
    </ul>
  );
}
