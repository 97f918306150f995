import { defineConfig } from "prisma/config";

/** Telemetry facts live in partitioned tables that Prisma neither sees nor drops. */
export const EXTERNAL_TABLES = [
  "gpu_sample",
  "gpu_latest",
  "gpu_chunk",
  "source_latest",
  "telemetry_hour",
  "gpu_hour",
  "metric_dist",
  "metric_dist_hour",
  "telemetry_dirty",
  "telemetry_mark",
  "series_sample",
  "series_hour",
  "test_clock",
].map((t) => `public.${t}`);

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  experimental: { externalTables: true },
  tables: { external: EXTERNAL_TABLES },
});
