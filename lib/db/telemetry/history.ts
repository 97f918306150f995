import { pool } from "@/lib/db/client";
import { WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";
import { columnOf, WIDE_COLUMNS } from "./columns";

export type GpuHistory = {
  id: number;
  position: number;
  memoryMib: number | null;
  samples: { at: number; values: Record<WideMetric, number | null> }[];
};

/** All samples of a machine's GPUs, oldest first: for a replay, not for a page. */
export async function listGpuHistories(resourceId: string): Promise<GpuHistory[]> {
  const { rows: gpus } = await pool().query<Omit<GpuHistory, "samples">>(
    `select id, position, memory_mib as "memoryMib" from gpu where resource_id = $1 order by position`,
    [resourceId],
  );
  return Promise.all(
    gpus.map(async (gpu) => {
      const { rows } = await pool().query<Record<string, unknown> & { at: Date }>(
        `select at, ${WIDE_COLUMNS.join(", ")} from gpu_sample where gpu_id = $1 order by at`,
        [gpu.id],
      );
      // The columns are the catalogue's own, selected above.
      const samples = rows.map((row) => ({
        at: row.at.getTime(),
        values: Object.fromEntries(WIDE_METRICS.map((m) => [m, row[columnOf(m)]])) as Record<WideMetric, number | null>,
      }));
      return { ...gpu, samples };
    }),
  );
}
