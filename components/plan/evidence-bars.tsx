import { cx } from "@/components/ui/cx";

const WORDS = ["no evidence", "weak evidence", "fair evidence", "strong evidence"] as const;

/** How sure a figure is, in three bars and in words. */
export function EvidenceBars({ level, words }: { level: 0 | 1 | 2 | 3; words: string }) {
  return (
    <span className="evidence">
      <span className="evidence-bars" role="img" aria-label={WORDS[level]}>
        {[1, 2, 3].map((bar) => (
          <i key={bar} className={cx(bar <= level && "is-on")} />
        ))}
      </span>
      <small className="run-sub">{words}</small>
    </span>
  );
}
