-- Prices with tiers, charges, commitments, allocation, months, invoices, budgets, forecasts; silences, routes and what rules gain.

-- CreateEnum
CREATE TYPE "price_tier" AS ENUM ('on_demand', 'negotiated', 'committed');

-- CreateEnum
CREATE TYPE "period_status" AS ENUM ('open', 'closing', 'closed');

-- CreateEnum
CREATE TYPE "split_method" AS ENUM ('whole', 'fixed', 'even', 'gpu_minutes');

-- CreateEnum
CREATE TYPE "variance_class" AS ENUM ('price', 'quantity', 'missing_in_ledger', 'missing_on_invoice', 'tax', 'credit', 'timing', 'rounding');

-- CreateEnum
CREATE TYPE "variance_state" AS ENUM ('open', 'accepted', 'disputed', 'explained');

-- CreateEnum
CREATE TYPE "budget_period" AS ENUM ('day', 'week', 'month', 'quarter', 'year');

-- CreateEnum
CREATE TYPE "aggregate" AS ENUM ('last', 'mean', 'min', 'max', 'p95', 'rate', 'change', 'count');

-- CreateEnum
CREATE TYPE "silence_kind" AS ENUM ('silence', 'quiet_hours', 'maintenance');

-- AlterEnum
ALTER TYPE "channel_kind" ADD VALUE 'pagerduty';
ALTER TYPE "channel_kind" ADD VALUE 'email';

-- AlterEnum
ALTER TYPE "charge_kind" ADD VALUE 'commitment';
ALTER TYPE "charge_kind" ADD VALUE 'credit';
ALTER TYPE "charge_kind" ADD VALUE 'tax';
ALTER TYPE "charge_kind" ADD VALUE 'adjustment';
ALTER TYPE "charge_kind" ADD VALUE 'rounding';

-- AlterEnum
ALTER TYPE "comparison" ADD VALUE 'equal';
ALTER TYPE "comparison" ADD VALUE 'not_equal';

-- AlterEnum
ALTER TYPE "price_source" ADD VALUE 'csv';
ALTER TYPE "price_source" ADD VALUE 'invoice';

-- AlterEnum
ALTER TYPE "resolve_reason" ADD VALUE 'series_ended';

-- AlterEnum
ALTER TYPE "rule_kind" ADD VALUE 'workload_metric';
ALTER TYPE "rule_kind" ADD VALUE 'event';
ALTER TYPE "rule_kind" ADD VALUE 'drift';

-- AlterEnum
ALTER TYPE "transition_kind" ADD VALUE 'assigned';
ALTER TYPE "transition_kind" ADD VALUE 'snoozed';
ALTER TYPE "transition_kind" ADD VALUE 'escalated';
ALTER TYPE "transition_kind" ADD VALUE 'merged';

-- DropForeignKey
ALTER TABLE "ledger_row" DROP CONSTRAINT "ledger_row_resource_id_fkey";

-- DropForeignKey
ALTER TABLE "ledger_row" DROP CONSTRAINT "ledger_row_span_id_fkey";

-- DropIndex
DROP INDEX "cost_owner_team_project_environment_key";

-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "assignee_id" UUID,
ADD COLUMN     "cost_micros" BIGINT,
ADD COLUMN     "labels" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "lead_id" UUID,
ADD COLUMN     "snoozed_until" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "alert_rule" ADD COLUMN     "aggregate" "aggregate" NOT NULL DEFAULT 'last',
ADD COLUMN     "backtest" JSONB,
ADD COLUMN     "budget_id" UUID,
ADD COLUMN     "labels" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "lookback_ms" INTEGER,
ADD COLUMN     "params" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "runbook" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "window_ms" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "channel" ADD COLUMN     "config" JSONB NOT NULL DEFAULT '{}';

-- AlterTable
ALTER TABLE "cost_owner" ADD COLUMN     "cost_center" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "is_shared" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "delivery" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "group_key" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "rows" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "ledger_row" ADD COLUMN     "charge_id" UUID,
ADD COLUMN     "corrects_key" UUID,
ADD COLUMN     "effective_micros" BIGINT,
ADD COLUMN     "list_micros" BIGINT,
ADD COLUMN     "note" TEXT,
ALTER COLUMN "resource_id" DROP NOT NULL,
ALTER COLUMN "span_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "outbox" ADD COLUMN     "delivery_id" UUID,
ADD COLUMN     "group_key" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "route_id" UUID;

-- AlterTable
ALTER TABLE "price" ADD COLUMN     "created_by_id" UUID,
ADD COLUMN     "note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "superseded_at" TIMESTAMPTZ(3),
ADD COLUMN     "tier" "price_tier" NOT NULL DEFAULT 'on_demand';

-- AlterTable
ALTER TABLE "resource_label" ADD COLUMN     "cost_center" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "usage_day" ADD COLUMN     "silent_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "throttled_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "unhealthy_minutes" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "utilised_minutes" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "commitment" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    "region" TEXT NOT NULL DEFAULT '',
    "count" INTEGER NOT NULL,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3) NOT NULL,
    "upfront_micros" BIGINT NOT NULL DEFAULT 0,
    "weekly_micros" BIGINT NOT NULL DEFAULT 0,
    "rate_micros" BIGINT NOT NULL DEFAULT 0,
    "owner_id" INTEGER NOT NULL DEFAULT 0,
    "note" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "commitment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "charge" (
    "id" UUID NOT NULL,
    "kind" "charge_kind" NOT NULL,
    "from_day" DATE NOT NULL,
    "to_day" DATE NOT NULL,
    "micros" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "owner_id" INTEGER NOT NULL DEFAULT 0,
    "invoice_id" UUID,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "charge_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allocation_rule" (
    "id" UUID NOT NULL,
    "priority" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "selector" JSONB NOT NULL,
    "method" "split_method" NOT NULL DEFAULT 'whole',
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "allocation_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allocation_share" (
    "rule_id" UUID NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "ppm" INTEGER NOT NULL,

    CONSTRAINT "allocation_share_pkey" PRIMARY KEY ("rule_id","owner_id")
);

-- CreateTable
CREATE TABLE "shared_cost" (
    "period" DATE NOT NULL,
    "day" DATE NOT NULL,
    "pot_id" INTEGER NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "micros" BIGINT NOT NULL,
    "rounding_ppm" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "shared_cost_pkey" PRIMARY KEY ("period","day","pot_id","owner_id")
);

-- CreateTable
CREATE TABLE "period" (
    "month" DATE NOT NULL,
    "status" "period_status" NOT NULL DEFAULT 'open',
    "checklist" JSONB NOT NULL DEFAULT '{}',
    "zone" TEXT NOT NULL DEFAULT '',
    "row_count" INTEGER,
    "total_micros" BIGINT,
    "content_hash" BYTEA,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by_id" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "period_pkey" PRIMARY KEY ("month")
);

-- CreateTable
CREATE TABLE "statement" (
    "month" DATE NOT NULL,
    "scope" TEXT NOT NULL,
    "total_micros" BIGINT NOT NULL,
    "content" JSONB NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statement_pkey" PRIMARY KEY ("month","scope")
);

-- CreateTable
CREATE TABLE "cost_day" (
    "period" DATE NOT NULL,
    "day" DATE NOT NULL,
    "charge" "charge_kind" NOT NULL,
    "owner_id" INTEGER NOT NULL,
    "connection_id" TEXT NOT NULL DEFAULT '',
    "type_name" TEXT NOT NULL DEFAULT '',
    "region" TEXT NOT NULL DEFAULT '',
    "rows" INTEGER NOT NULL,
    "unknown_rows" INTEGER NOT NULL,
    "minutes" BIGINT NOT NULL,
    "micros" BIGINT NOT NULL,
    "low_micros" BIGINT NOT NULL,
    "high_micros" BIGINT NOT NULL,
    "list_micros" BIGINT NOT NULL,
    "effective_micros" BIGINT NOT NULL,

    CONSTRAINT "cost_day_pkey" PRIMARY KEY ("period","day","charge","owner_id","connection_id","type_name","region")
);

-- CreateTable
CREATE TABLE "invoice" (
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "issued_on" DATE NOT NULL,
    "from_day" DATE NOT NULL,
    "to_day" DATE NOT NULL,
    "total_micros" BIGINT NOT NULL,
    "file_name" TEXT,
    "file_hash" BYTEA,
    "file" BYTEA,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_line" (
    "invoice_id" UUID NOT NULL,
    "line" INTEGER NOT NULL,
    "charge" "charge_kind" NOT NULL,
    "description" TEXT NOT NULL,
    "external_id" TEXT,
    "sku" TEXT,
    "region" TEXT,
    "from_day" DATE,
    "to_day" DATE,
    "quantity" DECIMAL(24,6),
    "rate_micros" BIGINT,
    "micros" BIGINT NOT NULL,
    "raw" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "invoice_line_pkey" PRIMARY KEY ("invoice_id","line")
);

-- CreateTable
CREATE TABLE "variance" (
    "id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "line" INTEGER,
    "resource_id" UUID,
    "class" "variance_class" NOT NULL,
    "billed_micros" BIGINT,
    "ledger_micros" BIGINT,
    "detail" JSONB NOT NULL DEFAULT '{}',
    "state" "variance_state" NOT NULL DEFAULT 'open',
    "note" TEXT NOT NULL DEFAULT '',
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "variance_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "selector" JSONB NOT NULL DEFAULT '{}',
    "every" "budget_period" NOT NULL DEFAULT 'month',
    "micros" BIGINT NOT NULL,
    "thresholds" JSONB NOT NULL DEFAULT '[]',
    "from_day" DATE NOT NULL,
    "to_day" DATE,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "budget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "forecast" (
    "scope" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "made_on" DATE NOT NULL,
    "base_micros" BIGINT NOT NULL,
    "low_micros" BIGINT NOT NULL,
    "high_micros" BIGINT NOT NULL,
    "naive_micros" BIGINT NOT NULL,
    "actual_micros" BIGINT,
    "inputs" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "forecast_pkey" PRIMARY KEY ("scope","month","made_on")
);

-- CreateTable
CREATE TABLE "cost_anomaly" (
    "scope" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "expected_micros" BIGINT NOT NULL,
    "actual_micros" BIGINT NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "causes" JSONB NOT NULL DEFAULT '[]',
    "found_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cost_anomaly_pkey" PRIMARY KEY ("scope","day")
);

-- CreateTable
CREATE TABLE "silence" (
    "id" UUID NOT NULL,
    "kind" "silence_kind" NOT NULL DEFAULT 'silence',
    "matchers" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "ticket_url" TEXT,
    "recurrence" JSONB,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "ended_by_id" UUID,

    CONSTRAINT "silence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "route" (
    "id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "matchers" JSONB NOT NULL DEFAULT '[]',
    "channel_id" UUID NOT NULL,
    "group_by" TEXT[],
    "group_wait_ms" INTEGER NOT NULL DEFAULT 30000,
    "group_interval_ms" INTEGER NOT NULL DEFAULT 300000,
    "repeat_ms" INTEGER NOT NULL DEFAULT 14400000,
    "escalation" JSONB NOT NULL DEFAULT '[]',
    "goes_on" BOOLEAN NOT NULL DEFAULT false,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "route_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invoice_connection_id_number_key" ON "invoice"("connection_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "variance_invoice_id_key_key" ON "variance"("invoice_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "cost_owner_team_project_environment_cost_center_is_shared_key" ON "cost_owner"("team", "project", "environment", "cost_center", "is_shared");

-- CreateIndex
CREATE INDEX "ledger_row_period_day_idx" ON "ledger_row"("period", "day");

-- AddForeignKey
ALTER TABLE "price" ADD CONSTRAINT "price_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commitment" ADD CONSTRAINT "commitment_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "charge" ADD CONSTRAINT "charge_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation_share" ADD CONSTRAINT "allocation_share_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "allocation_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "allocation_share" ADD CONSTRAINT "allocation_share_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shared_cost" ADD CONSTRAINT "shared_cost_pot_id_fkey" FOREIGN KEY ("pot_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "shared_cost" ADD CONSTRAINT "shared_cost_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "period" ADD CONSTRAINT "period_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "statement" ADD CONSTRAINT "statement_month_fkey" FOREIGN KEY ("month") REFERENCES "period"("month") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_span_id_fkey" FOREIGN KEY ("span_id") REFERENCES "resource_span"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_charge_id_fkey" FOREIGN KEY ("charge_id") REFERENCES "charge"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice" ADD CONSTRAINT "invoice_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_line" ADD CONSTRAINT "invoice_line_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variance" ADD CONSTRAINT "variance_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoice"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variance" ADD CONSTRAINT "variance_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variance" ADD CONSTRAINT "variance_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_budget_id_fkey" FOREIGN KEY ("budget_id") REFERENCES "budget"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_lead_id_fkey" FOREIGN KEY ("lead_id") REFERENCES "alert"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "silence" ADD CONSTRAINT "silence_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "silence" ADD CONSTRAINT "silence_ended_by_id_fkey" FOREIGN KEY ("ended_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "route" ADD CONSTRAINT "route_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_route_id_fkey" FOREIGN KEY ("route_id") REFERENCES "route"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "delivery"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- ── what Prisma cannot say ───────────────────────────────────────────────────────────────────────
ALTER TABLE price DROP CONSTRAINT price_no_overlap;
ALTER TABLE price ADD CONSTRAINT price_no_overlap EXCLUDE USING gist
  (provider WITH =, sku WITH =, region WITH =, unit WITH =, tier WITH =, tstzrange(valid_from, valid_to) WITH &&)
  WHERE (superseded_at IS NULL);
CREATE OR REPLACE FUNCTION price_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.provider, NEW.sku, NEW.region, NEW.unit, NEW.tier, NEW.micros, NEW.valid_from, NEW.recorded_at)
     IS DISTINCT FROM (OLD.provider, OLD.sku, OLD.region, OLD.unit, OLD.tier, OLD.micros, OLD.valid_from, OLD.recorded_at)
     OR (OLD.valid_to IS NOT NULL AND NEW.valid_to IS DISTINCT FROM OLD.valid_to)
     OR (OLD.superseded_at IS NOT NULL AND NEW.superseded_at IS DISTINCT FROM OLD.superseded_at) THEN
    RAISE EXCEPTION 'a price is closed or superseded, never changed' USING ERRCODE = 'HD001';
  END IF;
  RETURN NEW;
END $$;

ALTER TABLE ledger_row
  DROP CONSTRAINT ledger_row_order, DROP CONSTRAINT ledger_row_unknown_price, DROP CONSTRAINT ledger_row_in_period,
  ADD CONSTRAINT ledger_row_order CHECK (ends_at >= starts_at AND (minutes >= 0 OR corrects_key IS NOT NULL)),
  ADD CONSTRAINT ledger_row_unknown_price CHECK (price_id IS NOT NULL OR micros IS NULL OR charge NOT IN ('usage', 'storage') OR corrects_key IS NOT NULL),
  -- a fact learnt after the close of its month counts in a later one
  ADD CONSTRAINT ledger_row_in_period CHECK (date_trunc('month', day) <= period),
  ADD CONSTRAINT ledger_row_of_something CHECK (resource_id IS NOT NULL OR charge_id IS NOT NULL OR charge NOT IN ('usage', 'storage'));
CREATE INDEX ledger_row_of_charge ON ledger_row (charge_id) WHERE charge_id IS NOT NULL;
CREATE INDEX ledger_row_corrections ON ledger_row (corrects_key) WHERE corrects_key IS NOT NULL;
ALTER TABLE charge ADD CONSTRAINT charge_days CHECK (to_day >= from_day), ADD CONSTRAINT charge_of_kind CHECK (kind NOT IN ('usage', 'storage'));
ALTER TABLE commitment ADD CONSTRAINT commitment_order CHECK ("to" > "from" AND count > 0 AND upfront_micros >= 0 AND weekly_micros >= 0 AND rate_micros >= 0);
ALTER TABLE allocation_rule ADD CONSTRAINT allocation_rule_order CHECK (valid_to > valid_from);
ALTER TABLE allocation_share ADD CONSTRAINT allocation_share_part CHECK (ppm BETWEEN 0 AND 1000000);
ALTER TABLE period ADD CONSTRAINT period_month CHECK (month = date_trunc('month', month)),
  ADD CONSTRAINT period_closed CHECK ((status = 'closed') = (content_hash IS NOT NULL AND closed_at IS NOT NULL));
CREATE TRIGGER statement_append_only BEFORE UPDATE OR DELETE ON statement FOR EACH ROW EXECUTE FUNCTION refuse_change();
ALTER TABLE invoice ADD CONSTRAINT invoice_days CHECK (to_day >= from_day);
CREATE UNIQUE INDEX invoice_file ON invoice (file_hash) WHERE file_hash IS NOT NULL;
ALTER TABLE budget ADD CONSTRAINT budget_micros CHECK (micros > 0);
ALTER TABLE silence ADD CONSTRAINT silence_order CHECK (ends_at > starts_at);
CREATE INDEX silence_live ON silence (ends_at) WHERE ended_at IS NULL;
ALTER TABLE alert_rule ADD CONSTRAINT alert_rule_window CHECK (window_ms >= 0 AND (lookback_ms IS NULL OR lookback_ms > 0));
CREATE TRIGGER allocation_rule_version BEFORE UPDATE OR DELETE ON allocation_rule FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER commitment_version BEFORE UPDATE OR DELETE ON commitment FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER budget_version BEFORE UPDATE OR DELETE ON budget FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER route_version BEFORE UPDATE OR DELETE ON route FOR EACH ROW EXECUTE FUNCTION keep_version();
