const SHOWN = 4;

/** Names of machines, and how many more there are. */
export function UsedBy({ names }: { names: readonly string[] }) {
  if (names.length === 0) return <span className="muted">none that runs</span>;
  const shown = names.slice(0, SHOWN);
  const more = names.length - SHOWN;
  return (
    <>
      {shown.map((name, nth) => (
        <span key={name}>
          <span className="mono whitespace-nowrap">
            {name}
            {nth < shown.length - 1 && ","}
          </span>{" "}
        </span>
      ))}
      {more > 0 && <span className="muted whitespace-nowrap">and {more} more</span>}
    </>
  );
}
