import { z } from "zod";
import type { TelemetryState } from "./fleet/view";

/** A machine that sends telemetry and belongs to no instance. */
export type Sender = {
  id: string;
  hostname: string;
  ip: string | null;
  machine: string | null;
  tokenName: string;
  agentVersion: string | null;
  firstSeenAt: number;
  lastReceivedAt: number;
  gpus: string[];
  error: string | null;
  isDismissed: boolean;
};

/** How telemetry of one instance arrives. */
export type AgentRow = {
  instanceId: string;
  name: string;
  state: TelemetryState;
  at: number | null;
  agentVersion: string | null;
  clockSkewMs: number | null;
  error: string | null;
  refused24h: number;
};

export type SourcesAnswer = {
  now: number;
  senders: Sender[];
  agents: AgentRow[];
  /** Instances to which a sender may be assigned. */
  instances: { id: string; name: string; typeName: string | null; ip: string | null }[];
};

export const SenderAssignment = z.object({ sourceId: z.uuid(), instanceId: z.uuid("Choose an instance") });
export type SenderAssignment = z.output<typeof SenderAssignment>;

export const SenderDismissal = z.object({ sourceId: z.uuid(), isDismissed: z.stringbool().or(z.boolean()) });
export type SenderDismissal = z.output<typeof SenderDismissal>;
