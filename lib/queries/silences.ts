import { queryOptions } from "@tanstack/react-query";
import type { Matcher } from "@/lib/domain/silences/matchers";
import type { SilencePreview, SilencesAnswer } from "@/lib/domain/silences/view";
import { getJson } from "./fetch";

export const SILENCES = "silences";

export function silencesQuery() {
  return queryOptions({
    queryKey: [SILENCES, "list"],
    queryFn: ({ signal }) => getJson<SilencesAnswer>("/api/v1/silences", {}, signal),
    refetchInterval: 15_000,
  });
}

export function silencePreviewQuery(matchers: readonly Matcher[]) {
  const asked = JSON.stringify(matchers);
  return queryOptions({
    queryKey: [SILENCES, "preview", asked],
    queryFn: ({ signal }) => getJson<SilencePreview>("/api/v1/silences/preview", { matchers: asked }, signal),
  });
}
