const SHOWN = 4;

/** Names of machines, and how many more there are. */
export function UsedBy({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="muted">none that runs</span>;
  const more = names.length - SHOWN;
  return (
    <>
      <span className="mono">{names.slice(0, SHOWN).join(", ")}</span>
      {more > 0 && <span className="muted"> and {more} more</span>}
    </>
  );
}
