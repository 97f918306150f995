-- CreateEnum
CREATE TYPE "source_kind" AS ENUM ('agent', 'scrape', 'remote_write', 'push');

-- CreateEnum
CREATE TYPE "event_kind" AS ENUM ('xid', 'note');

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "refusal_reason" ADD VALUE 'duplicate';
ALTER TYPE "refusal_reason" ADD VALUE 'out_of_range';
ALTER TYPE "refusal_reason" ADD VALUE 'series_limit';

-- AlterTable
ALTER TABLE "gpu" ADD COLUMN     "xid_gauge" INTEGER,
ADD COLUMN     "xid_gauge_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "telemetry_source" ADD COLUMN     "fetched_at" TIMESTAMPTZ(3),
ADD COLUMN     "is_enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "kind" "source_kind" NOT NULL DEFAULT 'agent',
ADD COLUMN     "mapping" JSONB,
ADD COLUMN     "secret_id" UUID,
ADD COLUMN     "url" TEXT,
ALTER COLUMN "token_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "run" (
    "id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "workload" "workload_kind" NOT NULL DEFAULT 'unknown',
    "resource_id" UUID,
    "gpu_ids" INTEGER[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "expected_ms" BIGINT,
    "note" TEXT,
    "created_by_id" UUID,
    "token_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "series" (
    "id" SERIAL NOT NULL,
    "source_id" UUID NOT NULL,
    "metric" TEXT NOT NULL,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "labels_hash" BYTEA NOT NULL,
    "is_counter" BOOLEAN NOT NULL DEFAULT false,
    "resource_id" UUID,
    "gpu_id" INTEGER,
    "run_id" UUID,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "last_value" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "series_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "kind" "event_kind" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "resource_id" UUID,
    "source_id" UUID,
    "gpu_id" INTEGER,
    "code" INTEGER,
    "text" TEXT,
    "detail" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "run_external_id_key" ON "run"("external_id");

-- CreateIndex
CREATE INDEX "run_resource_id_started_at_idx" ON "run"("resource_id", "started_at");

-- CreateIndex
CREATE INDEX "run_started_at_idx" ON "run"("started_at");

-- CreateIndex
CREATE INDEX "series_resource_id_metric_idx" ON "series"("resource_id", "metric");

-- CreateIndex
CREATE INDEX "series_run_id_metric_idx" ON "series"("run_id", "metric");

-- CreateIndex
CREATE UNIQUE INDEX "series_source_id_metric_labels_hash_key" ON "series"("source_id", "metric", "labels_hash");

-- CreateIndex
CREATE UNIQUE INDEX "event_key_key" ON "event"("key");

-- CreateIndex
CREATE INDEX "event_resource_id_at_idx" ON "event"("resource_id", "at");

-- CreateIndex
CREATE INDEX "event_gpu_id_at_idx" ON "event"("gpu_id", "at");

-- CreateIndex
CREATE INDEX "event_kind_at_idx" ON "event"("kind", "at");

-- CreateIndex
CREATE UNIQUE INDEX "telemetry_source_url_key" ON "telemetry_source"("url");

-- AddForeignKey
ALTER TABLE "telemetry_source" ADD CONSTRAINT "telemetry_source_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "secret"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "run" ADD CONSTRAINT "run_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "token"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series" ADD CONSTRAINT "series_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "telemetry_source"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series" ADD CONSTRAINT "series_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series" ADD CONSTRAINT "series_gpu_id_fkey" FOREIGN KEY ("gpu_id") REFERENCES "gpu"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "series" ADD CONSTRAINT "series_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "run"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_gpu_id_fkey" FOREIGN KEY ("gpu_id") REFERENCES "gpu"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- ═══ By hand, from here on ═══════════════════════════════════════════════════════════════════════

ALTER TABLE telemetry_source ADD CONSTRAINT telemetry_source_sent_or_fetched CHECK ((kind = 'scrape') = (url IS NOT NULL) AND (kind = 'scrape' OR token_id IS NOT NULL));
ALTER TABLE run ADD CONSTRAINT run_order CHECK (ended_at >= started_at), ADD CONSTRAINT run_expected CHECK (expected_ms > 0);
-- runs that go on, and the runs of a moment
CREATE INDEX run_open ON run (started_at) WHERE ended_at IS NULL;

-- Values of labelled series, kept as long as samples are.
CREATE TABLE series_sample (
  at timestamptz(3) NOT NULL,
  value double precision NOT NULL,
  series_id integer NOT NULL,
  PRIMARY KEY (series_id, at)
) PARTITION BY RANGE (at);

-- The same per hour, kept for years; `increase` is of counters, resets taken out. Recomputed whole.
CREATE TABLE series_hour (
  hour timestamptz(3) NOT NULL,
  sum double precision NOT NULL,
  min double precision NOT NULL,
  max double precision NOT NULL,
  last double precision NOT NULL,
  increase double precision,
  series_id integer NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (series_id, hour)
) PARTITION BY RANGE (hour);

-- A sealed GPU-hour: the instants and one packed column per metric (lib/domain/telemetry/chunk.ts). Reads take it where it
-- exists; a late sample makes it anew. One column is read without the others, so nothing is compressed again.
CREATE TABLE gpu_chunk (
  hour timestamptz(3) NOT NULL,
  gpu_id integer NOT NULL,
  codec smallint NOT NULL,
  n smallint NOT NULL,
  at bytea NOT NULL,
  utilization_pct bytea,
  memory_used_mib bytea,
  memory_busy_pct bytea,
  temperature_c bytea,
  memory_temperature_c bytea,
  power_w bytea,
  sm_clock_mhz bytea,
  memory_clock_mhz bytea,
  sm_active_pct bytea,
  tensor_active_pct bytea,
  dram_active_pct bytea,
  memory_reserved_mib bytea,
  throttle_reasons bytea,
  ecc_uncorrected bytea,
  missing bytea,
  quality bytea,
  PRIMARY KEY (gpu_id, hour)
) PARTITION BY RANGE (hour);

DO $$
DECLARE c text;
BEGIN
  FOR c IN SELECT attname FROM pg_attribute WHERE attrelid = 'gpu_chunk'::regclass AND atttypid = 'bytea'::regtype LOOP
    EXECUTE format('ALTER TABLE gpu_chunk ALTER COLUMN %I SET STORAGE EXTERNAL', c);
  END LOOP;
END $$;

-- What is behind the samples: GPUs whose derived rows (hours, distributions, chunks) are to be made anew, per five minutes.
-- One row per request, written in the commit of its samples and taken in the commit of what is derived from them.
CREATE TABLE telemetry_mark (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  bucket timestamptz(3) NOT NULL,
  gpu_ids integer[] NOT NULL
);
INSERT INTO telemetry_mark (bucket, gpu_ids) SELECT bucket, array_agg(gpu_id ORDER BY gpu_id) FROM telemetry_dirty GROUP BY 1;

-- The newest sample of each GPU, as one block per sender (lib/db/telemetry/latest-block.ts). fillfactor 50 keeps updates HOT.
CREATE TABLE source_latest (
  source_id uuid PRIMARY KEY REFERENCES telemetry_source (id),
  at timestamptz(3) NOT NULL,   -- of the newest one in it
  received_at timestamptz(3) NOT NULL,
  gpu_set bigint NOT NULL,      -- a hash of the GPUs that it speaks of
  data bytea NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE source_latest ALTER COLUMN data SET STORAGE EXTERNAL;

INSERT INTO source_latest (source_id, at, received_at, gpu_set, data)
SELECT g.source_id, max(l.at), max(l.received_at), 0, string_agg(
  int4send(l.gpu_id) || timestamptz_send(l.at) || int8send(coalesce(l.missing, 0))
  || float4send(coalesce(l.utilization_pct, 'NaN'))
  || float4send(coalesce(l.memory_used_mib, 'NaN'))
  || float4send(coalesce(l.memory_busy_pct, 'NaN'))
  || float4send(coalesce(l.temperature_c, 'NaN'))
  || float4send(coalesce(l.memory_temperature_c, 'NaN'))
  || float4send(coalesce(l.power_w, 'NaN'))
  || float4send(coalesce(l.sm_clock_mhz, 'NaN'))
  || float4send(coalesce(l.memory_clock_mhz, 'NaN'))
  || float4send(coalesce(l.sm_active_pct, 'NaN'))
  || float4send(coalesce(l.tensor_active_pct, 'NaN'))
  || float4send(coalesce(l.dram_active_pct, 'NaN'))
  || float4send(coalesce(l.memory_reserved_mib, 'NaN'))
  || int4send(coalesce(l.throttle_reasons, -2147483648)) || int4send(coalesce(l.ecc_uncorrected, -2147483648)), ''::bytea ORDER BY l.gpu_id)
FROM gpu_latest l JOIN gpu g ON g.id = l.gpu_id WHERE g.source_id IS NOT NULL GROUP BY 1;

-- Samples come in the order of time, so a few bytes per range of pages find those of an hour.
CREATE INDEX gpu_sample_at ON gpu_sample USING brin (at) WITH (pages_per_range = 32);

-- Hours whose samples are all sealed, but for late ones, which their marks name.
CREATE TABLE telemetry_hour (
  hour timestamptz(3) PRIMARY KEY,
  sealed_at timestamptz(3) NOT NULL
);
-- Hours whose samples went before there were sealed ones.
INSERT INTO telemetry_hour (hour, sealed_at)
SELECT DISTINCT hour, now() FROM gpu_hour WHERE hour < (
  SELECT min((regexp_match(pg_get_expr(c.relpartbound, c.oid), $x$FROM \('([^']+)'\)$x$))[1]::timestamptz)
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'gpu_sample'::regclass);
