import { transact } from "@/lib/db/client";
import { insertToken, type Token, type TokenKind } from "@/lib/db/tokens";
import { formatReport } from "@/lib/domain/telemetry/agent-report";
import type { ProcessesByUuid } from "@/lib/domain/telemetry/parse-processes";
import { emptyValues, type GpuReading } from "@/lib/domain/telemetry/sample";
import type { Instance } from "@/lib/integrations/lambda/contract";
import { mintToken } from "@/lib/services/tokens";

/** A credential, with the secret that proves it. */
export async function makeToken(
  kind: TokenKind,
  at: number,
  more: { resourceId?: string; expiresAt?: Date; revokedAt?: Date } = {},
): Promise<{ token: Token; secret: string }> {
  const { secret, prefix, secretHash } = mintToken();
  const { revokedAt, ...rest } = more;
  const role = kind === "api" || kind === "invite" ? ("admin" as const) : null;
  const token = await transact(async (tx) => {
    const made = await insertToken(tx, {
      kind,
      name: kind,
      prefix,
      secretHash,
      role,
      createdAt: new Date(at),
      ...rest,
    });
    if (revokedAt) await tx.token.update({ where: { id: made.id }, data: { revokedAt } });
    return made;
  });
  return { token, secret };
}

/** A GPU as an agent reads it. */
export function reading(at: number, more: Partial<GpuReading> = {}): GpuReading {
  return {
    uuid: "GPU-1",
    mig: "",
    index: 0,
    busId: "00000000:DD:00.0",
    name: "NVIDIA GH200 480GB",
    driverVersion: "570.148.08",
    memoryTotalMib: 97_871,
    powerLimitW: 700,
    pstate: "P0",
    migMode: "disabled",
    remappedRows: null,
    slowdownTemperatureC: null,
    at,
    throttleReasons: 0,
    eccUncorrected: 0,
    missing: {},
    ...more,
    values: {
      ...emptyValues(),
      utilizationPct: 50,
      memoryUsedMib: 10_000,
      memoryBusyPct: 20,
      temperatureC: 60,
      memoryTemperatureC: 55,
      powerW: 400,
      smClockMhz: 1_980,
      memoryClockMhz: 2_619,
      memoryReservedMib: 600,
      ...more.values,
    },
  };
}

/** What an agent sends: these readings, each group at its own instant. */
export function report(
  readings: readonly GpuReading[],
  more: { host?: string; ip?: string; sentAt?: number; processes?: { at: number; byUuid: ProcessesByUuid }[] } = {},
): string {
  const byInstant = new Map<number, GpuReading[]>();
  for (const one of readings) byInstant.set(one.at ?? 0, [...(byInstant.get(one.at ?? 0) ?? []), one]);
  const newest = Math.max(0, ...byInstant.keys());
  return formatReport({
    agent: { hostname: more.host ?? "gh-1", intervalMs: 10_000, sentAt: more.sentAt ?? newest, ip: more.ip ?? null },
    batches: [...byInstant].map(([at, own]) => ({ at, readings: own })),
    processes: more.processes ?? [],
  });
}

/** A machine as the provider lists it. */
export function instance(id: string, more: Partial<Instance> = {}): Instance {
  return {
    id,
    status: "active",
    rawStatus: "active",
    name: id,
    ip: "192.0.2.10",
    privateIp: "10.19.60.10",
    hostname: `host-${id}`,
    region: "us-east-3",
    typeName: "gpu_1x_gh200",
    priceCents: 229,
    sshKeyNames: [],
    fileSystemNames: [],
    tags: {},
    isReserved: false,
    terminateBlockedBy: null,
    ...more,
  };
}
