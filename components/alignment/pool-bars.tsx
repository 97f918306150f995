import type { CSSProperties } from "react";
import type { GroupView } from "@/lib/domain/alignment/view";
import { formatMib } from "@/lib/domain/format";
import { formatGb } from "./words";

type Props = { pools: GroupView["pools"][number]; declaredGb: number };

const share = (part: number, whole: number): CSSProperties => ({ width: `${whole > 0 ? (part / whole) * 100 : 0}%` });

/** Declared pools over the memory there is, to one scale: what stands beyond it has nothing behind it. */
export function PoolBars({ pools, declaredGb }: Props) {
  const thereGb = pools.nominalGb ?? declaredGb;
  const wholeGb = Math.max(pools.sumGb, thereGb);
  let from = 0;
  const parts = pools.pools.map(({ name, gb, tier }, i) => {
    const start = from;
    from += gb;
    const behind = Math.max(0, Math.min(from, thereGb) - start);
    return { name, gb, tier, behind: Math.round(behind * 1_000) / 1_000, slot: (i % 8) + 1 };
  });
  const missing = Math.max(0, Math.round((wholeGb - thereGb) * 1_000) / 1_000);
  return (
    <div className="pool-bars">
      <div className="pool-row">
        <span className="pool-name">Declared pools{pools.workload && <small> {pools.workload}</small>}</span>
        <div className="pool-bar" aria-hidden="true">
          {parts.map(({ name, gb, tier, behind, slot }) => (
            <i key={name} style={{ ...share(gb, wholeGb), "--pool": `var(--chart-${slot})` } as CSSProperties}>
              {behind > 0 && (
                <em style={share(behind, gb)}>
                  <span className="ellipsis">
                    {tier !== null && <small>{tier} </small>}
                    {name}
                  </span>
                  {behind === gb && <b>{gb}</b>}
                </em>
              )}
              {behind < gb && (
                <em className="is-void" style={share(gb - behind, gb)}>
                  {behind === 0 && <span className="ellipsis">{name}</span>}
                  <b>{gb}</b>
                </em>
              )}
            </i>
          ))}
        </div>
        <b className="pool-sum">{formatGb(pools.sumGb)}</b>
      </div>
      <div className="pool-row">
        <span className="pool-name">Memory there is</span>
        <div className="pool-bar" aria-hidden="true">
          <i style={share(thereGb, wholeGb)}>
            <em className="is-memory" style={{ width: "100%" }}>
              <span className="ellipsis">
                {pools.card === null
                  ? "as declared, nothing reports"
                  : `${pools.card}, ${formatMib(pools.reportedMib)}`}
              </span>
            </em>
          </i>
          {missing > 0 && (
            <i style={share(missing, wholeGb)}>
              <em className="is-absent" style={{ width: "100%" }}>
                <span className="ellipsis">does not exist</span>
                <b>{missing}</b>
              </em>
            </i>
          )}
        </div>
        <b className="pool-sum">{formatGb(thereGb)}</b>
      </div>
      <p className="pool-words">{wordsOf(parts, pools, thereGb)}</p>
    </div>
  );
}

type Part = { name: string; gb: number; behind: number };

function wordsOf(parts: readonly Part[], { sumGb, nominalGb }: Props["pools"], thereGb: number): string {
  const sum = parts.length > 1 ? `${parts.map(({ gb }) => gb).join(" + ")} = ${sumGb}` : String(sumGb);
  const head = `${sum} GB on ${thereGb} GB${nominalGb === null ? " as declared" : " as sold"}.`;
  if (sumGb <= thereGb) {
    const left = Math.round((thereGb - sumGb) * 1_000) / 1_000;
    return left === 0 ? `${head} Every gigabyte has a pool.` : `${head} ${formatGb(left)} belong to no pool.`;
  }
  const cut = parts.filter(({ gb, behind }) => behind > 0 && behind < gb);
  const gone = parts.filter(({ behind }) => behind === 0);
  const said = [
    ...cut.map(({ name, gb, behind }) => `${name} loses ${formatGb(Math.round((gb - behind) * 1_000) / 1_000)}`),
    ...(gone.length > 0
      ? [
          `${gone.map(({ name }) => name).join(" and ")} ${gone.length === 1 ? "has" : "have"} nothing behind ${gone.length === 1 ? "it" : "them"}`,
        ]
      : []),
  ];
  return `${head} ${said.join("; ")}.`;
}
