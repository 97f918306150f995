import { queryOptions } from "@tanstack/react-query";
import type {
  AlignmentAnswer,
  BadgesAnswer,
  DeclarationAnswer,
  FindingCount,
  MachineAlignment,
  SoftwareAnswer,
} from "@/lib/domain/alignment/view";
import { getJson } from "./fetch";

const ALIGNMENT = "alignment";

export function alignmentQuery() {
  return queryOptions({
    queryKey: [ALIGNMENT],
    queryFn: ({ signal }) => getJson<AlignmentAnswer>("/api/v1/alignment", {}, signal),
    refetchInterval: 15_000,
  });
}

/** How many findings stand, on every page. */
export function findingCountQuery() {
  return queryOptions({
    queryKey: [ALIGNMENT, "count"],
    queryFn: ({ signal }) => getJson<FindingCount>("/api/v1/alignment/count", {}, signal),
    refetchInterval: 30_000,
  });
}

/** Findings beside machines, where machines are listed. */
export function badgesQuery() {
  return queryOptions({
    queryKey: [ALIGNMENT, "badges"],
    queryFn: ({ signal }) => getJson<BadgesAnswer>("/api/v1/alignment/badges", {}, signal),
    refetchInterval: 30_000,
  });
}

export function declarationQuery(version?: number) {
  return queryOptions({
    queryKey: [ALIGNMENT, "declaration", version ?? null],
    queryFn: ({ signal }) => getJson<DeclarationAnswer>("/api/v1/alignment/declaration", { version }, signal),
  });
}

export function softwareQuery() {
  return queryOptions({
    queryKey: [ALIGNMENT, "software"],
    queryFn: ({ signal }) => getJson<SoftwareAnswer>("/api/v1/alignment/software", {}, signal),
    refetchInterval: 60_000,
  });
}

export function machineAlignmentQuery(instanceId: string) {
  return queryOptions({
    queryKey: [ALIGNMENT, "machine", instanceId],
    queryFn: ({ signal }) => getJson<MachineAlignment>(`/api/v1/fleet/${instanceId}/alignment`, {}, signal),
    refetchInterval: 15_000,
  });
}

/** A text to begin with: what runs now, or the declaration with one group as its machines are. */
export function draftQuery(group: string | null) {
  const path = group === null ? "/api/v1/alignment/declaration/now" : "/api/v1/alignment/declaration/corrected";
  return queryOptions({
    queryKey: [ALIGNMENT, "draft", group],
    queryFn: ({ signal }) => getJson<{ now: number; yaml: string }>(path, { group }, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}
