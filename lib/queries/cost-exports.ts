import { queryOptions } from "@tanstack/react-query";
import type { ExportsAnswer, ExportsQuestion } from "@/lib/domain/cost/exports-view";
import { getJson } from "./fetch";

export function exportsQuery(question: ExportsQuestion) {
  return queryOptions({
    queryKey: ["cost", "exports", question],
    queryFn: ({ signal }) => getJson<ExportsAnswer>("/api/v1/cost/exports", question, signal),
    refetchInterval: 60_000,
  });
}
