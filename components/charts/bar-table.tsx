import type { Route } from "next";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/table";
import type { BarModel } from "./bar-model";

type Props = { title: string; model: BarModel; heightPx: number; hrefOf?: BarHref | undefined };

/** Where the rows of a bar are, or of one of its parts. */
export type BarHref = (at: number, part: string | null) => Route | null;

/** The bars' own columns as a table, at the chart's height. */
export function BarTable({ title, model, heightPx, hrefOf }: Props) {
  return (
    <ScrollRegion label={`${title}, table`} className="chart-table" heightPx={heightPx + 18}>
      <table className="table is-dense is-bare">
        <thead>
          <tr>
            <th scope="col">{model.each}</th>
            {model.parts.map((part) => (
              <th key={part.id} scope="col" className="num">
                {part.label}
              </th>
            ))}
            <th scope="col" className="num">
              Total
            </th>
            {model.hasForecast && (
              <th scope="col" className="num">
                Forecast
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {model.rows.map((row) => (
            <tr key={row.at}>
              <th scope="row">{row.label}</th>
              {model.parts.map((part, index) => (
                <td key={part.id} className="num">
                  <Linked href={hrefOf?.(row.at, part.id)} text={row.texts[index] ?? ""} />
                </td>
              ))}
              <td className="num">
                <Linked href={hrefOf?.(row.at, null)} text={row.total} />
              </td>
              {model.hasForecast && <td className="num">{row.expected?.text ?? "—"}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Linked({ href, text }: { href: Route | null | undefined; text: string }) {
  return href && text !== "—" ? (
    <Link className="name-link" href={href}>
      {text}
    </Link>
  ) : (
    text
  );
}
