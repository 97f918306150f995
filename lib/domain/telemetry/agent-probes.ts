import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { formatIsoInstant, parseIsoInstant } from "./instant";
import { type ParsedProcesses, parseComputeApps } from "./parse-processes";
import type { CudaAnswer, HostFacts, Mount, Probe, XidSighting } from "./report";
import { cleanText, textOrNull } from "./text";

/*
 * What the agent's probes say (protocol 2). A section holds `key=value` lines, but for the kernel's log and the mounts, whose
 * lines are those of the kernel. `missing=…` as the first line says why a probe found nothing; a probe that says nothing was
 * not due.
 *   #kernel at=… from=journalctl|dmesg [booted_at=…] [left_out=3]    lines of the kernel's log that the NVIDIA driver wrote
 *   #clock at=…      from=chronyc, ahead=0.000012s or behind=-1min 2.5s: of true time, as that service says
 *   #mounts at=…     device type path size_kib used_kib [why they are not known], as /proc/mounts writes them
 *   #cuda at=…       usable=yes|no, devices=1, took_ms=312, message=…; or busy=why it was put off
 *   #versions at=…   driver=570.124.06, cuda=12.8, torch=2.6.0; or torch.missing=…
 */

/** What a section of a probe says. */
export type ProbeAnswer = { facts: HostFacts; sightings: XidSighting[]; leftOut: number };

const PROBES = ["kernel", "clock", "mounts", "cuda", "versions"] as const;
export type ProbeName = (typeof PROBES)[number];

export const PROBE_LIMITS = { lines: 200, mounts: 64, text: 200 };

export function isProbe(kind: string): kind is ProbeName {
  return (PROBES as readonly string[]).includes(kind);
}

export function readProbe(
  kind: ProbeName,
  fields: ReadonlyMap<string, string>,
  body: string,
  at: number,
  receivedAt: number,
): ProbeAnswer {
  const missing = missingOf(body);
  if (kind === "kernel") return readKernel(fields, body, at, receivedAt, missing);
  return { facts: readFacts(kind, body, at, missing), sightings: [], leftOut: 0 };
}

/** The list of processes says in the same way why there is none. */
export function readProcessList(body: string, at: number): { processes: ParsedProcesses; facts: HostFacts } {
  const missing = missingOf(body);
  if (missing === null) return { processes: parseComputeApps(body), facts: { processList: { at, found: true } } };
  const processes = { byUuid: new Map(), isAnswered: false, problems: [] };
  return { processes, facts: { processList: { at, missing } } };
}

function readKernel(
  fields: ReadonlyMap<string, string>,
  body: string,
  at: number,
  receivedAt: number,
  missing: string | null,
): ProbeAnswer {
  if (missing !== null) return { facts: { kernelLog: { at, missing } }, sightings: [], leftOut: 0 };
  const leftOut = Number(/^\d{1,9}$/.exec(fields.get("left_out") ?? "")?.[0] ?? 0);
  const sightings = parseKernelLog(body, receivedAt, parseIsoInstant(fields.get("booted_at") ?? ""));
  const from = textOrNull(fields.get("from"), 40);
  return { facts: from === null ? {} : { kernelLog: { at, found: from } }, sightings, leftOut };
}

function readFacts(kind: Exclude<ProbeName, "kernel">, body: string, at: number, missing: string | null): HostFacts {
  const values = readValues(body);
  const word = (key: string) => textOrNull(values.get(key), PROBE_LIMITS.text);
  switch (kind) {
    case "clock": {
      if (missing !== null) return { clockOffsetMs: { at, missing } };
      const source = word("from");
      return {
        clockOffsetMs: known(at, readOffset(values), "the time service gave no number"),
        ...(source !== null && { clockSource: { at, found: source } }),
      };
    }
    case "mounts":
      return { mounts: missing === null ? { at, found: readMounts(body) } : { at, missing } };
    case "cuda": {
      if (missing !== null) return { cudaProbe: { at, missing } };
      const busy = word("busy");
      if (busy !== null) return { cudaBusy: { at, found: busy } };
      return { cudaProbe: known(at, readCuda(values), "the probe gave no answer") };
    }
    case "versions": {
      const version = (key: string): Probe<string> | undefined => {
        const why = word(`${key}.missing`) ?? missing;
        const found = word(key);
        if (found !== null) return { at, found };
        return why === null ? undefined : { at, missing: why };
      };
      return present({
        driverVersion: version("driver"),
        cudaVersion: version("cuda"),
        torchVersion: version("torch"),
      });
    }
  }
}

function readCuda(values: ReadonlyMap<string, string>): CudaAnswer | null {
  const usable = values.get("usable");
  if (usable !== "yes" && usable !== "no") return null;
  return {
    isUsable: usable === "yes",
    devices: Math.round(numberOrNull(values.get("devices"), 1024) ?? 0),
    tookMs: Math.round(numberOrNull(values.get("took_ms"), 3_600_000) ?? 0),
    message: textOrNull(values.get("message"), PROBE_LIMITS.text),
  };
}

const SPAN_MS: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  s: 1000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** How far ahead, in milliseconds to a millionth. */
function readOffset(values: ReadonlyMap<string, string>): number | null {
  const ahead = values.get("ahead");
  const text = (ahead ?? values.get("behind") ?? "").trim().slice(0, 60);
  if (!/^[+-]?(?:\d{1,9}(?:\.\d{1,9})?(?:us|ms|s|min|h|d)(?: |$))+$/.test(text)) return null;
  let ms = 0;
  for (const [, number, unit] of text.matchAll(/([\d.]+)([a-z]+)/g)) ms += Number(number) * (SPAN_MS[unit ?? ""] ?? 0);
  const sign = text.startsWith("-") === (ahead === undefined) ? 1 : -1;
  return ms === 0 ? 0 : (sign * Math.round(ms * 1e6)) / 1e6;
}

function readMounts(body: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of linesOf(body)) {
    const [device, type, path, size, used, ...why] = line.trim().split(/\s+/u);
    if (!device || !type || !path || size === undefined || used === undefined) continue;
    if (mounts.length >= PROBE_LIMITS.mounts) break;
    mounts.push({
      path: unescaped(path),
      device: unescaped(device),
      type: cleanText(type, 40),
      sizeBytes: bytesOf(size),
      usedBytes: bytesOf(used),
      problem: textOrNull(why.join(" "), PROBE_LIMITS.text),
    });
  }
  return mounts;
}

/** The kernel writes blanks and backslashes in names as three octal digits. */
function unescaped(text: string): string {
  const plain = text
    .slice(0, 1000)
    .replace(/\\([0-3][0-7]{2})/g, (_, octal) => String.fromCharCode(parseInt(octal, 8)));
  return cleanText(plain, PROBE_LIMITS.text);
}

/** Null also for a file system that says it has no end. */
function bytesOf(kib: string): number | null {
  const bytes = /^\d{1,20}$/.test(kib) ? Number(kib) * 1024 : Number.NaN;
  return Number.isSafeInteger(bytes) ? bytes : null;
}

function known<T>(at: number, found: T | null, missing: string): Probe<T> {
  return found === null ? { at, missing } : { at, found };
}

/** Without the keys that have no value. */
function present(facts: { [K in keyof HostFacts]: HostFacts[K] | undefined }): HostFacts {
  // Object.fromEntries forgets its keys; they are those of the argument.
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as HostFacts;
}

function missingOf(body: string): string | null {
  return textOrNull(/^\s*missing=([^\n]{1,1000})/.exec(body)?.[1], PROBE_LIMITS.text);
}

function readValues(body: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of linesOf(body)) {
    const [, key, value] = /^([a-z][a-z_.]{0,39})=(.{1,1000})/u.exec(line) ?? [];
    if (key !== undefined && value !== undefined && !values.has(key)) values.set(key, value);
  }
  return values;
}

function linesOf(body: string): string[] {
  return body.slice(0, 100_000).split("\n", PROBE_LIMITS.lines);
}

function numberOrNull(text: string | undefined, most: number): number | null {
  const number = /^[+-]?\d{1,15}(?:\.\d{1,12})?$/.test(text?.trim() ?? "") ? Number(text) : Number.NaN;
  return Math.abs(number) <= most ? number : null;
}

/** Facts of several sections: of each the newest. */
export function newestFacts(before: HostFacts | null, facts: HostFacts): HostFacts | null {
  const fresh = Object.entries(facts).filter(([key, probe]) => {
    // Object.entries forgets its keys; they are those of facts.
    const known = before?.[key as keyof HostFacts];
    return known === undefined || known.at <= probe.at;
  });
  return fresh.length === 0 ? before : { ...before, ...Object.fromEntries(fresh) };
}

/** Writes facts as sections that `readProbe` reads back. */
export function formatProbes(facts: HostFacts): string {
  const {
    driverVersion,
    cudaVersion,
    torchVersion,
    cudaProbe,
    cudaBusy,
    clockOffsetMs,
    clockSource,
    mounts,
    kernelLog,
  } = facts;
  return [
    kernelLog &&
      ("found" in kernelLog
        ? section("kernel", kernelLog.at, [], ` from=${kernelLog.found}`)
        : section("kernel", kernelLog.at, [`missing=${kernelLog.missing}`])),
    clockOffsetMs &&
      section("clock", clockOffsetMs.at, [
        ...(clockSource && "found" in clockSource ? [`from=${clockSource.found}`] : []),
        "found" in clockOffsetMs
          ? `${clockOffsetMs.found < 0 ? "behind" : "ahead"}=${Math.abs(clockOffsetMs.found).toFixed(6)}ms`
          : `missing=${clockOffsetMs.missing}`,
      ]),
    mounts &&
      section("mounts", mounts.at, "found" in mounts ? mounts.found.map(mountLine) : [`missing=${mounts.missing}`]),
    cudaProbe && section("cuda", cudaProbe.at, cudaLines(cudaProbe)),
    cudaBusy && "found" in cudaBusy && section("cuda", cudaBusy.at, [`busy=${cudaBusy.found}`]),
    ...Object.entries({ driver: driverVersion, cuda: cudaVersion, torch: torchVersion }).map(
      ([key, probe]) =>
        probe &&
        section("versions", probe.at, ["found" in probe ? `${key}=${probe.found}` : `${key}.missing=${probe.missing}`]),
    ),
  ]
    .filter(Boolean)
    .join("");
}

function cudaLines(probe: Probe<CudaAnswer>): string[] {
  if (!("found" in probe)) return [`missing=${probe.missing}`];
  const { isUsable, devices, tookMs, message } = probe.found;
  const lines = [`usable=${isUsable ? "yes" : "no"}`, `devices=${devices}`, `took_ms=${tookMs}`];
  return message === null ? lines : [...lines, `message=${message}`];
}

function mountLine({ device, type, path, sizeBytes, usedBytes, problem }: Mount): string {
  const kib = (bytes: number | null) => (bytes === null ? "-" : String(Math.round(bytes / 1024)));
  const escaped = (text: string) =>
    text.replace(/[\s\\]/gu, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return [escaped(device), type, escaped(path), kib(sizeBytes), kib(usedBytes), ...(problem ? [problem] : [])].join(
    " ",
  );
}

function section(kind: ProbeName, at: number, lines: readonly string[], more = ""): string {
  return [`#${kind} at=${formatIsoInstant(at)}${more}`, ...lines.map((line) => line.replace(/^#/, " #")), ""].join(
    "\n",
  );
}
