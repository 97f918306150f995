"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { useClock } from "@/components/ui/clock";
import { CodeLine } from "@/components/ui/code";
import { Meter } from "@/components/ui/meter";
import { Note } from "@/components/ui/note";
import { Facts } from "@/components/ui/page";
import { Panel } from "@/components/ui/panel";
import { Age, Instant } from "@/components/ui/time";
import { FACT_STALE_MS, type MachineAnswer } from "@/lib/domain/fleet/machine";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatCount, formatNumber, formatPercent, formatStorage } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { CudaAnswer, HostFacts, Mount, Probe } from "@/lib/domain/telemetry/report";
import { isSkewed } from "@/lib/domain/telemetry/sample";
import { machineQuery } from "@/lib/queries/fleet";

const FULL_PCT = 90;

/** What the agent says of the machine beside its GPUs; what it cannot say, and why. */
export function MachinePanel({ question }: { question: InstancePageQuestion }) {
  const { data, failure } = useLive(machineQuery(question.instanceId));
  const { agent, facts } = data;
  if (agent === null) {
    return (
      <Panel title="Machine">
        <p className="muted">
          No agent reports from this machine, so its driver, clock and mounts are not known. Settings, Connection has
          the line that installs it.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Machine" sub="as its agent says">
      {failure && (
        <Note tone="warn">
          <b>Not refreshed.</b> Shown is what was known at <Instant at={data.now} seconds />.
        </Note>
      )}
      {agent.isOlder && (
        <div className="grid gap-2 pb-3">
          <Note tone="warn">
            <b>An older agent: update it.</b> It says less than {agent.newest} would. On the machine:
          </Note>
          <CodeLine text={agent.updateLine} what="update line" />
        </div>
      )}
      <div className="machine-facts">
        <Facts
          rows={[
            ["Agent", agent.version ?? <span className="muted">of no known version</span>],
            ...(agent.architecture ? [["System", systemOf(agent)] as const] : []),
            ...fact("Driver", "driverVersion", facts.driverVersion, (version) => version),
            ...fact("CUDA, by the driver", "cudaVersion", facts.cudaVersion, (version) => version),
            ...fact("PyTorch", "torchVersion", facts.torchVersion, (version) => version),
            ...fact("CUDA probe", "cudaProbe", facts.cudaProbe, (found) => <CudaResult found={found} />, true),
            ...(facts.cudaBusy ? [["Probe put off", <PutOff key="busy" busy={facts.cudaBusy} />] as const] : []),
            ...fact("Clock", "clockOffsetMs", facts.clockOffsetMs, (ms) => (
              <>
                {offsetWords(ms)}
                {facts.clockSource && "found" in facts.clockSource && (
                  <span className="muted">, {facts.clockSource.found}</span>
                )}
              </>
            )),
            ...(data.clockSkewMs === null
              ? []
              : [["As seen from here", <Skew key="skew" ms={data.clockSkewMs} />] as const]),
            ...fact("Kernel log", "kernelLog", facts.kernelLog, (tool) => `read by ${tool}`),
            ...(facts.processList && "missing" in facts.processList
              ? fact("Processes", "processList", facts.processList, () => null)
              : []),
          ]}
        />
      </div>
      <Mounts mounts={facts.mounts} />
      {!hasFacts(facts) && !agent.isOlder && (
        <p className="muted pt-2">Its probes have not answered yet; the first answers come within minutes.</p>
      )}
    </Panel>
  );
}

function systemOf({ architecture, kernel }: NonNullable<MachineAnswer["agent"]>): ReactNode {
  return (
    <>
      {architecture}
      {kernel && <span className="muted">, {kernel}</span>}
    </>
  );
}

function hasFacts(facts: HostFacts): boolean {
  return Object.keys(facts).some((key) => key !== "processList");
}

/** A row for a fact that was told: its value or why there is none, and its age where that says something. */
function fact<T>(
  name: string,
  key: keyof HostFacts,
  probe: Probe<T> | undefined,
  show: (found: T) => ReactNode,
  withAge = false,
): (readonly [ReactNode, ReactNode])[] {
  if (!probe) return [];
  const value = "found" in probe ? show(probe.found) : <span className="muted">not known: {probe.missing}</span>;
  return [
    [
      name,
      <span key={key}>
        {value} <FactAge at={probe.at} staleAfterMs={FACT_STALE_MS[key]} isShown={withAge} />
      </span>,
    ],
  ];
}

/** How old an answer is, where that is asked for; of every answer once it is stale. */
function FactAge({ at, staleAfterMs, isShown }: { at: number; staleAfterMs: number; isShown: boolean }) {
  const isStale = useClock((now) => now - at > staleAfterMs);
  if (!isShown && !isStale) return null;
  return (
    <span className="muted whitespace-nowrap">
      <Age at={at} staleAfterMs={staleAfterMs} />
    </span>
  );
}

function CudaResult({ found: { isUsable, devices, tookMs, message } }: { found: CudaAnswer }) {
  if (!isUsable) {
    return (
      <>
        <b className="text-crit">fails</b>
        {message && `: ${message}`}
      </>
    );
  }
  return (
    <>
      works, {formatCount(devices, "GPU")} in {formatDuration(tookMs)}
      {message && <span className="muted"> ({message})</span>}
    </>
  );
}

function PutOff({ busy }: { busy: Probe<string> }) {
  return (
    <span className="muted">
      {"found" in busy ? busy.found : busy.missing}, <Age at={busy.at} />
    </span>
  );
}

function offsetWords(ms: number): string {
  const size = Math.abs(ms);
  if (size < 0.0005) return "exact";
  const text = size < 1000 ? `${formatNumber(size, size < 10 ? 3 : 1)}\u00a0ms` : formatDuration(size);
  return `${text} ${ms > 0 ? "ahead" : "behind"}`;
}

/** What the way takes is in it, so small numbers say nothing. */
function Skew({ ms }: { ms: number }) {
  if (Math.abs(ms) < 2_000) return "in step";
  const words = `${formatDuration(Math.abs(ms))} ${ms < 0 ? "ahead" : "behind"}`;
  return isSkewed(ms) ? <b className="text-warn">{words}: its samples are marked</b> : words;
}

function Mounts({ mounts }: { mounts: Probe<Mount[]> | undefined }) {
  if (!mounts) return null;
  return (
    <div className="mounts">
      <p className="mounts-head">
        Mounts <FactAge at={mounts.at} staleAfterMs={FACT_STALE_MS.mounts} isShown />
      </p>
      {"missing" in mounts ? (
        <p className="muted">not known: {mounts.missing}</p>
      ) : mounts.found.length === 0 ? (
        <p className="muted">no file system that keeps data</p>
      ) : (
        <ul>
          {mounts.found.map((mount) => (
            <MountLine key={mount.path} mount={mount} />
          ))}
        </ul>
      )}
    </div>
  );
}

function MountLine({ mount: { path, device, type, sizeBytes, usedBytes, problem } }: { mount: Mount }) {
  const pct = sizeBytes && usedBytes !== null ? (usedBytes / sizeBytes) * 100 : null;
  return (
    <li title={`${device}, ${type}`}>
      <span className="mono mount-path">{path}</span>
      {problem !== null ? (
        <span className="text-warn">{problem}</span>
      ) : (
        <span className="mount-use">
          {sizeBytes === null
            ? `${formatStorage(usedBytes)} used`
            : `${formatStorage(usedBytes)} of ${formatStorage(sizeBytes)}`}
        </span>
      )}
      {pct !== null && (
        <Meter
          value={pct}
          max={100}
          label={`${formatPercent(pct)} of ${path} is used`}
          tone={pct >= FULL_PCT ? "warn" : "neutral"}
        />
      )}
    </li>
  );
}
