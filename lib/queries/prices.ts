import { queryOptions } from "@tanstack/react-query";
import type { PricesAnswer } from "@/lib/domain/cost/price-view";
import { getJson } from "./fetch";

export function pricesQuery() {
  return queryOptions({
    queryKey: ["cost", "prices"],
    queryFn: ({ signal }) => getJson<PricesAnswer>("/api/v1/cost/prices", {}, signal),
    refetchInterval: 30_000,
  });
}
