import { groupBy } from "@/lib/domain/group";
import { type Burst, cardOf, codesOf, type SeenCode, type XidEvent } from "@/lib/domain/xid/bursts";
import { listedFor, xidCode } from "@/lib/domain/xid/codes";
import { driverMessage } from "@/lib/domain/xid/kernel-log";
import { judge, meaningOf } from "@/lib/domain/xid/verdict";
import { bucketWords, OWNER_WORDS, TENANT_STEPS } from "@/lib/domain/xid/words";
import type { Incident, XidInfo } from "./view";

export type Card = { position: number; mig: string; model: string };
export type Names = {
  instance: { id: string; name: string } | null;
  hosts: ReadonlyMap<string, string>;
  gpus: ReadonlyMap<number, Card>;
};

/** An incident as a page shows it. `earlier`: the machine's Xid 13 and 31 of the days before. */
export function incidentOf(
  burst: Burst,
  earlier: readonly XidEvent[],
  { instance, hosts, gpus }: Names,
  linesTold: number,
): Incident {
  const verdict = judge(burst, earlier);
  const codes = codesOf(burst);
  const [first] = burst.events;
  return {
    id: first?.id ?? "",
    instance,
    host: hosts.get(first?.sourceId ?? "") ?? null,
    from: burst.from,
    to: burst.to,
    codes: codes.map(({ code, lines, seenBy }) => ({ code, lines, seenBy, severity: severityOf(code) ?? "warning" })),
    title: titleOf(codes),
    cards: [...groupBy(burst.events, cardOf).values()].flatMap(([event]) => (event ? [cardView(event, gpus)] : [])),
    severity: verdict.severity,
    code: verdict.code,
    headline: verdict.headline,
    owner: OWNER_WORDS[verdict.owner],
    action: TENANT_STEPS[verdict.action].label,
    steps: verdict.steps,
    why: verdict.why,
    mayPage: verdict.mayPage,
    lines: burst.events.slice(0, linesTold).map((event) => ({
      at: event.at,
      atIs: event.atIs,
      code: event.code,
      seenBy: event.seenBy,
      isSinceBefore: event.isSinceBefore,
      text: driverMessage(event.text),
      pid: event.pid,
      processName: event.processName,
      from: hosts.get(event.sourceId ?? "") ?? null,
    })),
    moreLines: Math.max(0, burst.events.length - linesTold),
  };
}

/** "Xid 48, 63, 94 (11 lines)"; a code that only a gauge told is no line, and a gauge counts nothing. */
export function titleOf(codes: readonly SeenCode[]): string {
  const lines = codes.reduce((sum, code) => sum + code.lines, 0);
  const told = lines === 0 ? "gauge" : `${lines} ${lines === 1 ? "line" : "lines"}`;
  return `Xid ${codes.map(({ code }) => code).join(", ")} (${told})`;
}

export function xidInfo(code: number, model: string | null): XidInfo {
  const entry = xidCode(code);
  return {
    code,
    meaning: meaningOf(code),
    mnemonic: entry?.mnemonic ?? null,
    note: entry?.note ?? null,
    severity: severityOf(code),
    owner: OWNER_WORDS[entry?.owner ?? "other"],
    immediate: bucketWords(entry?.immediate ?? null),
    investigatory: bucketWords(entry?.investigatory ?? null),
    steps: TENANT_STEPS[stepsOf(code)].steps,
    listed: entry && !entry.isRetired ? listedWords(code, model) : null,
  };
}

/** By the table alone; null for 154, whose text decides. */
function severityOf(code: number) {
  const severity = xidCode(code)?.severity ?? "warning";
  return severity === "follow_text" ? null : severity;
}

function stepsOf(code: number) {
  if (code === 45) return "solo_45";
  if (code === 48) return "reset";
  return xidCode(code)?.tenant ?? "monitor";
}

function listedWords(code: number, model: string | null): string | null {
  const entry = xidCode(code);
  const listed = entry && listedFor(entry, model);
  if (!listed) return null;
  const said = listed.isListed ? "listed" : "not listed";
  return listed.isInferred
    ? `NVIDIA's catalogue has no column for GH200. Taken as H100 with the codes of the Grace link, which is an inference: ${said}.`
    : `NVIDIA's catalogue: ${said} for this GPU.`;
}

function cardView(event: XidEvent, gpus: ReadonlyMap<number, Card>): Incident["cards"][number] {
  const gpu = event.gpuId === null ? undefined : gpus.get(event.gpuId);
  const mig = gpu?.mig || event.mig;
  const name = gpu ? `GPU ${gpu.position}` : event.busId === null ? "unknown GPU" : `GPU at ${event.busId}`;
  return {
    gpuId: event.gpuId,
    label: mig ? `${name}, MIG ${mig}` : name,
    busId: event.busId,
    model: gpu?.model ?? null,
  };
}
