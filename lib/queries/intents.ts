import { queryOptions } from "@tanstack/react-query";
import type { AftermathAnswer } from "@/lib/domain/intents/aftermath";
import type { BatchProgress } from "@/lib/domain/intents/batch";
import type { ChangeEvidence, DryRun, DryRunAnswer, EvidencesAnswer } from "@/lib/domain/intents/change";
import type { ChecklistsAnswer } from "@/lib/domain/intents/checklist";
import type { EvidenceQuestion, IntentAnswer } from "@/lib/domain/intents/view";
import type { ApprovalCount, ApprovalsAnswer } from "@/lib/domain/intents/waiting";
import { getJson, postJson } from "./fetch";

export function intentQuery(intentId: string) {
  return queryOptions({
    queryKey: ["intents", "one", intentId],
    queryFn: ({ signal }) => getJson<IntentAnswer>(`/api/v1/intents/${intentId}`, {}, signal),
    refetchInterval: 2_000,
  });
}

/** What a dialog shows before a machine ends or restarts; never older than the dialog. */
export function evidenceQuery({ instanceId, kind }: EvidenceQuestion) {
  return queryOptions({
    queryKey: ["intents", "evidence", instanceId, kind],
    queryFn: ({ signal }) => getJson<ChangeEvidence>(`/api/v1/fleet/${instanceId}/evidence`, { kind }, signal),
    refetchInterval: 10_000,
    gcTime: 0,
    staleTime: 0,
  });
}

/** The same of several, asked anew while the dialog is open. */
export function evidencesQuery(instanceIds: readonly string[]) {
  return queryOptions({
    queryKey: ["intents", "evidences", instanceIds],
    queryFn: ({ signal }) => postJson<EvidencesAnswer>("/api/v1/fleet/evidence", { instanceIds }, signal),
    refetchInterval: 20_000,
    gcTime: 0,
    staleTime: 0,
  });
}

/** Asked by hand, and never kept. */
export function askDryRun(question: DryRun): Promise<DryRunAnswer> {
  return postJson<DryRunAnswer>("/api/v1/intents/terminate/dry-run", question, AbortSignal.timeout(60_000));
}

export function batchQuery(batchId: string) {
  return queryOptions({
    queryKey: ["intents", "batch", batchId],
    queryFn: ({ signal }) => getJson<BatchProgress>(`/api/v1/intents/batches/${batchId}`, {}, signal),
    refetchInterval: 2_000,
  });
}

export function approvalsQuery() {
  return queryOptions({
    queryKey: ["intents", "approvals"],
    queryFn: ({ signal }) => getJson<ApprovalsAnswer>("/api/v1/approvals", {}, signal),
    refetchInterval: 10_000,
  });
}

export function approvalCountQuery() {
  return queryOptions({
    queryKey: ["intents", "approval-count"],
    queryFn: ({ signal }) => getJson<ApprovalCount>("/api/v1/approvals/count", {}, signal),
    refetchInterval: 10_000,
  });
}

export function aftermathQuery(instanceId: string) {
  return queryOptions({
    queryKey: ["fleet", "aftermath", instanceId],
    queryFn: ({ signal }) => getJson<AftermathAnswer>(`/api/v1/fleet/${instanceId}/aftermath`, {}, signal),
    refetchInterval: 15_000,
  });
}

export function checklistsQuery() {
  return queryOptions({
    queryKey: ["intents", "checklists"],
    queryFn: ({ signal }) => getJson<ChecklistsAnswer>("/api/v1/checklists", {}, signal),
    refetchInterval: 60_000,
  });
}
