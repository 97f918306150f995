import { currentDeclaration } from "@/lib/db/alignment/declarations";
import { listStanding } from "@/lib/db/alignment/findings";
import { listProcesses } from "@/lib/db/telemetry/read";
import { authorize, type Ctx } from "@/lib/domain/access";
import { poolsFor } from "@/lib/domain/alignment/declaration";
import { checksOf } from "@/lib/domain/alignment/engine";
import { cardGb, membersOf } from "@/lib/domain/alignment/observed";
import { drawPools, poolUse } from "@/lib/domain/alignment/pools";
import type { MachineAlignment, MachineAlignmentQuestion } from "@/lib/domain/alignment/view";
import { isLike } from "@/lib/domain/cost/glob";
import { lastPoll } from "./declare";
import { observe } from "./observe";
import { findingRows } from "./read";

/** One machine against what was declared of it, and the memory pools of its first card. */
export async function readMachineAlignment(
  ctx: Ctx,
  { instanceId }: MachineAlignmentQuestion,
): Promise<MachineAlignment> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const stored = await currentDeclaration();
  const nothing: MachineAlignment = {
    now,
    group: null,
    hours: 720,
    nominalGb: null,
    reportedMib: null,
    card: null,
    pools: null,
    use: [],
    hasProcesses: false,
    findings: [],
    facts: [],
  };
  if (!stored) return nothing;
  const [observed, standing] = await Promise.all([observe(ctx.now, await lastPoll(ctx)), listStanding(instanceId)]);
  const { parsed: declaration } = stored;
  const { members } = membersOf(declaration, observed.machines);
  const group = declaration.groups.find(({ name }) => members.get(name)?.some(({ id }) => id === instanceId)) ?? null;
  const machine = observed.machines.find(({ id }) => id === instanceId);
  const [card] = machine?.cards ?? [];
  const checks = checksOf({ declaration, version: stored.version, at: stored.at }, observed).filter(
    ({ machineId }) => machineId === instanceId,
  );
  const findings = findingRows(standing, stored, checks);
  const facts = checks.map(({ fact, state, declared, observed: seen }) => ({ fact, state, declared, observed: seen }));
  const base = { ...nothing, hours: declaration.hoursPerMonth, group: group?.name ?? null, findings, facts };
  if (!group || !machine || !card) return base;
  const own = poolsFor(group, machine.workload);
  const nominalGb = cardGb(card);
  const drawn = own.length === 0 ? null : drawPools(own, nominalGb, card.memoryMib);
  const [held] = await listProcesses([card.id]);
  const isRecent = held !== undefined && now - held.lastSeenAt.getTime() <= PROCESSES_STALE_MS;
  return {
    ...base,
    nominalGb,
    reportedMib: card.memoryMib,
    card: card.name,
    pools: drawn,
    hasProcesses: isRecent,
    use: drawn
      ? poolUse(
          drawn.map((pool, i) => ({ ...pool, processes: own[i]?.processes ?? [] })),
          isRecent ? held.processes : null,
          isLike,
        )
      : [],
  };
}

const PROCESSES_STALE_MS = 5 * 60_000;
