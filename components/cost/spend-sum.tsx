import { Link } from "@/components/ui/link";
import { Age } from "@/components/ui/time";
import type { ExploreAnswer, ExploreQuestion } from "@/lib/domain/cost/explore";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { boundsOf, COST_HINTS, COST_WORDS, rowsHref, windowWords } from "./spend-words";

type Props = { data: ExploreAnswer; question: ExploreQuestion };

/** The window's total with all that belongs to a number: interval, zone, kind, age, how far it may be off, what is missing from it. */
export function SpendSum({ data, question }: Props) {
  const { total, corrections, ledger } = data;
  const bounds = boundsOf(total, data.cost);
  return (
    <p className="cost-sum">
      <Link className="name-link" href={rowsHref(whichOf(question))}>
        <b>{formatUsd(total.micros)}</b>
      </Link>
      <span title={COST_HINTS[data.cost]}>{COST_WORDS[data.cost].toLowerCase()}, US dollars</span>
      <span>{windowWords(data.window, data.zone)}</span>
      {bounds && <span>{bounds}</span>}
      {total.unknownRows > 0 && (
        <Link className="link" href={rowsHref({ ...whichOf(question), unknown: "only" })}>
          plus {formatCount(total.unknownRows, "row")} of unknown price
        </Link>
      )}
      {corrections && (
        <Link className="link" href={rowsHref({ ...whichOf(question), corrections: "only" })}>
          with {formatUsd(corrections.micros)} of corrections of earlier months, on no bar
        </Link>
      )}
      {ledger.at !== null && (
        <span>
          as of <Age at={ledger.at} />
        </span>
      )}
    </p>
  );
}

/** What of the question says which rows are meant. */
export function whichOf({ per: _per, by: _by, ...which }: ExploreQuestion): Omit<ExploreQuestion, "per" | "by"> {
  return which;
}
