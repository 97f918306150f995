import { decimalText, times } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway, sum } from "@/lib/domain/cost/money";
import { isLess } from "./comparison";
import { gpuKind } from "./gpu-kind";
import { firmness, perGpu, type Quote } from "./quotes";

/** What machines of one type did in a month, by the ledger. */
export type FleetUse = {
  typeName: string;
  gpu: string;
  gpus: number;
  memoryGb: number | null;
  minutes: number;
  /** What the ledger says that they cost; null: their price is unknown. */
  micros: Micros | null;
};

export type MovedUse = FleetUse & {
  gpuMinutes: number;
  /** The cheapest like offer; null: nobody has one. */
  offer: Quote | null;
  elsewhereMicros: Micros | null;
  changeMicros: Micros | null;
};

export type MovedFleet = {
  rows: MovedUse[];
  /** Of those that have a like offer. */
  comparedMicros: Micros;
  elsewhereMicros: Micros;
  changeMicros: Micros;
  /** Of the GPU-hours, in per cent without digits; null: there are none. */
  coveredPct: string | null;
};

const BASE_PROVIDER = "lambda";

/** Same model, size and board (where both say one), kept until it is ended, CPU and memory included, rejected by nobody. */
export function likeOffer(
  quotes: readonly Quote[],
  { gpu, memoryGb }: { gpu: string; memoryGb: number | null },
  provider: string | null,
): Quote | null {
  const wanted = gpuKind(gpu);
  const like = quotes.filter((quote) => {
    const { model, board } = gpuKind(quote.gpu);
    return (
      quote.provider !== BASE_PROVIDER &&
      // The cheapest host of a marketplace is one machine of somebody's, not a place for a fleet; asked for by name it is shown.
      (provider === null ? quote.tier !== "marketplace" : quote.provider === provider) &&
      model === wanted.model &&
      memoryGb !== null &&
      quote.gpuMemoryGb === memoryGb &&
      (board === null || wanted.board === null || board === wanted.board) &&
      firmness(quote.tier) === "firm" &&
      quote.unit !== "gpu_component" &&
      quote.status !== "rejected"
    );
  });
  return like.reduce<Quote | null>((best, one) => (best && !isLess(perGpu(one), perGpu(best)) ? best : one), null);
}

/** What the same hours would have cost at like offers; what has none is left where it is and is in no sum. */
export function moveFleet(uses: readonly FleetUse[], quotes: readonly Quote[], provider: string | null): MovedFleet {
  const rows = uses.map((use): MovedUse => {
    const offer = likeOffer(quotes, { gpu: use.gpu, memoryGb: use.memoryGb }, provider);
    const gpuMinutes = use.minutes * use.gpus;
    const price = offer && times(perGpu(offer), { numerator: BigInt(gpuMinutes), denominator: 60n });
    const elsewhereMicros = price && roundHalfAway(price.numerator, price.denominator);
    const changeMicros = elsewhereMicros === null || use.micros === null ? null : elsewhereMicros - use.micros;
    return { ...use, gpuMinutes, offer, elsewhereMicros, changeMicros };
  });
  const compared = rows.filter(({ changeMicros }) => changeMicros !== null);
  const allMinutes = rows.reduce((total, row) => total + row.gpuMinutes, 0);
  const covered = compared.reduce((total, row) => total + row.gpuMinutes, 0);
  const comparedMicros = sum(compared.map(({ micros }) => micros ?? 0n));
  const elsewhereMicros = sum(compared.map((row) => row.elsewhereMicros ?? 0n));
  return {
    rows,
    comparedMicros,
    elsewhereMicros,
    changeMicros: elsewhereMicros - comparedMicros,
    coveredPct: allMinutes === 0 ? null : decimalText(BigInt(covered) * 100n, BigInt(allMinutes), 0),
  };
}
