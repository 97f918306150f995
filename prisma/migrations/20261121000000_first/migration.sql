-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "role" AS ENUM ('viewer', 'finance', 'on_call', 'operator', 'admin');

-- CreateEnum
CREATE TYPE "token_kind" AS ENUM ('api', 'ingest', 'enrolment', 'invite');

-- CreateEnum
CREATE TYPE "actor_kind" AS ENUM ('user', 'token', 'system', 'provider');

-- CreateEnum
CREATE TYPE "resource_kind" AS ENUM ('instance', 'filesystem');

-- CreateEnum
CREATE TYPE "resource_status" AS ENUM ('booting', 'active', 'unhealthy', 'terminating', 'terminated', 'preempted', 'unknown');

-- CreateEnum
CREATE TYPE "gone_reason" AS ENUM ('terminated_here', 'terminated_outside', 'preempted', 'vanished');

-- CreateEnum
CREATE TYPE "idle_kind" AS ENUM ('empty', 'held');

-- CreateEnum
CREATE TYPE "catalog_kind" AS ENUM ('region', 'image', 'ssh_key');

-- CreateEnum
CREATE TYPE "poll_outcome" AS ENUM ('ok', 'suspect', 'unauthorised', 'throttled', 'edge_page', 'server_error', 'network');

-- CreateEnum
CREATE TYPE "workload_kind" AS ENUM ('training', 'inference', 'batch', 'dev', 'unknown');

-- CreateEnum
CREATE TYPE "refusal_reason" AS ENUM ('conflict', 'too_old', 'future', 'malformed', 'wrong_scope', 'no_gpu');

-- CreateEnum
CREATE TYPE "price_unit" AS ENUM ('instance_hour', 'gib_month');

-- CreateEnum
CREATE TYPE "price_source" AS ENUM ('api', 'instance_row', 'manual');

-- CreateEnum
CREATE TYPE "charge_kind" AS ENUM ('usage', 'storage');

-- CreateEnum
CREATE TYPE "rule_kind" AS ENUM ('gpu_metric', 'telemetry', 'inventory', 'money');

-- CreateEnum
CREATE TYPE "comparison" AS ENUM ('above', 'at_least', 'below', 'at_most');

-- CreateEnum
CREATE TYPE "no_data" AS ENUM ('unknown', 'alert', 'ok');

-- CreateEnum
CREATE TYPE "severity" AS ENUM ('info', 'warning', 'critical');

-- CreateEnum
CREATE TYPE "alert_status" AS ENUM ('pending', 'firing', 'recovering', 'unknown', 'resolved');

-- CreateEnum
CREATE TYPE "resolve_reason" AS ENUM ('recovered', 'instance_gone', 'not_covered', 'rule_paused', 'rule_deleted');

-- CreateEnum
CREATE TYPE "transition_kind" AS ENUM ('pending', 'fired', 'unknown', 'recovering', 'resumed', 'repending', 'resolved', 'flapping', 'acknowledged', 'unacknowledged', 'reraised', 'commented');

-- CreateEnum
CREATE TYPE "channel_kind" AS ENUM ('webhook', 'slack');

-- CreateEnum
CREATE TYPE "outbox_state" AS ENUM ('queued', 'sending', 'delivered', 'dropped', 'dead');

-- CreateEnum
CREATE TYPE "intent_kind" AS ENUM ('launch', 'terminate', 'restart');

-- CreateEnum
CREATE TYPE "intent_state" AS ENUM ('draft', 'awaiting_approval', 'ready', 'sending', 'indeterminate', 'confirmed', 'adopted', 'refused', 'closed_unconfirmed', 'cancelled', 'expired');

-- CreateTable
CREATE TABLE "app_user" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "role" NOT NULL,
    "password_hash" TEXT,
    "session_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "disabled_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_user_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "sid_hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "session_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "signed_in_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "ip" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "token" (
    "id" UUID NOT NULL,
    "kind" "token_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "role" "role",
    "intent_id" UUID,
    "resource_id" UUID,
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "uses_left" INTEGER,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret" (
    "id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "ciphertext" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "key_id" TEXT NOT NULL,
    "last4" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "id" UUID NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "reason" TEXT,
    "ip" TEXT,
    "prev_hash" BYTEA,
    "hash" BYTEA,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connection" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "base_url" TEXT NOT NULL,
    "key_last4" TEXT NOT NULL,
    "mutate_key_last4" TEXT,
    "last_poll_at" TIMESTAMPTZ(3),
    "last_ok_at" TIMESTAMPTZ(3),
    "stale_since" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "mutations_frozen_at" TIMESTAMPTZ(3),
    "types_read_at" TIMESTAMPTZ(3),
    "filesystems_read_at" TIMESTAMPTZ(3),
    "catalog_read_at" TIMESTAMPTZ(3),
    "events_read_to" TIMESTAMPTZ(3),
    "events_read_at" TIMESTAMPTZ(3),
    "events_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "poll" (
    "connection_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" "poll_outcome" NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "resources" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "poll_pkey" PRIMARY KEY ("connection_id","at")
);

-- CreateTable
CREATE TABLE "instance_type" (
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "gpu_model" TEXT,
    "gpus" INTEGER NOT NULL,
    "gpu_memory_gb" INTEGER,
    "vcpus" INTEGER NOT NULL,
    "memory_gib" INTEGER NOT NULL,
    "storage_gib" INTEGER NOT NULL,
    "architecture" TEXT,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "instance_type_pkey" PRIMARY KEY ("provider","name")
);

-- CreateTable
CREATE TABLE "capacity_span" (
    "provider" TEXT NOT NULL,
    "type_name" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "to" TIMESTAMPTZ(3),

    CONSTRAINT "capacity_span_pkey" PRIMARY KEY ("provider","type_name","region","from")
);

-- CreateTable
CREATE TABLE "catalog_item" (
    "connection_id" UUID NOT NULL,
    "kind" "catalog_kind" NOT NULL,
    "external_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "region" TEXT,
    "attrs" JSONB NOT NULL DEFAULT '{}',
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "catalog_item_pkey" PRIMARY KEY ("connection_id","kind","external_id")
);

-- CreateTable
CREATE TABLE "resource" (
    "id" UUID NOT NULL,
    "kind" "resource_kind" NOT NULL,
    "connection_id" UUID NOT NULL,
    "external_id" TEXT NOT NULL,
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "missing_since" TIMESTAMPTZ(3),
    "missing_seen_at" TIMESTAMPTZ(3),
    "missing_polls" INTEGER NOT NULL DEFAULT 0,
    "missing_suspect" BOOLEAN NOT NULL DEFAULT false,
    "gone_at" TIMESTAMPTZ(3),
    "gone_reason" "gone_reason",
    "launch_intent_id" UUID,
    "launched_by" TEXT,
    "terminated_by" TEXT,
    "bill_from_low" TIMESTAMPTZ(3),
    "bill_from_best" TIMESTAMPTZ(3),
    "bill_from_high" TIMESTAMPTZ(3),
    "bill_to_low" TIMESTAMPTZ(3),
    "bill_to_best" TIMESTAMPTZ(3),
    "bill_to_high" TIMESTAMPTZ(3),
    "idle_since" TIMESTAMPTZ(3),
    "idle_kind" "idle_kind",
    "metered_for" TEXT,
    "bill_evidence" JSONB,
    "metered_final" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "resource_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "resource_span" (
    "id" BIGSERIAL NOT NULL,
    "resource_id" UUID NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "last_seen_at" TIMESTAMPTZ(3),
    "prev_poll_at" TIMESTAMPTZ(3),
    "status" "resource_status" NOT NULL,
    "name" TEXT,
    "region" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "type_name" TEXT,
    "price_micros" BIGINT,
    "ip" TEXT,
    "private_ip" TEXT,
    "hostname" TEXT,
    "tags" JSONB NOT NULL DEFAULT '{}',
    "bytes_used" BIGINT,
    "is_attached" BOOLEAN,
    "attrs" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "resource_span_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "resource_label" (
    "id" UUID NOT NULL,
    "resource_id" UUID NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "owner" TEXT NOT NULL DEFAULT '',
    "team" TEXT NOT NULL DEFAULT '',
    "project" TEXT NOT NULL DEFAULT '',
    "environment" TEXT NOT NULL DEFAULT '',
    "workload" "workload_kind" NOT NULL DEFAULT 'unknown',
    "by_id" UUID,

    CONSTRAINT "resource_label_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_event" (
    "connection_id" UUID NOT NULL,
    "event_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT,
    "api_key" TEXT,
    "external_id" TEXT,
    "resource_id" UUID,
    "detail" JSONB NOT NULL,

    CONSTRAINT "provider_event_pkey" PRIMARY KEY ("connection_id","event_id")
);

-- CreateTable
CREATE TABLE "telemetry_source" (
    "id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "hostname" TEXT NOT NULL,
    "resource_id" UUID,
    "interval_ms" INTEGER NOT NULL DEFAULT 10000,
    "agent_version" TEXT,
    "host" JSONB NOT NULL DEFAULT '{}',
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "last_received_at" TIMESTAMPTZ(3) NOT NULL,
    "clock_skew_ms" INTEGER,
    "last_error" TEXT,
    "dismissed_at" TIMESTAMPTZ(3),

    CONSTRAINT "telemetry_source_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gpu" (
    "id" SERIAL NOT NULL,
    "uuid" TEXT NOT NULL,
    "mig" TEXT NOT NULL DEFAULT '',
    "resource_id" UUID,
    "source_id" UUID,
    "position" INTEGER NOT NULL DEFAULT 0,
    "model" TEXT NOT NULL,
    "driver_version" TEXT,
    "memory_mib" INTEGER,
    "power_limit_w" DOUBLE PRECISION,
    "attrs" JSONB NOT NULL DEFAULT '{}',
    "first_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "gpu_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gpu_process_span" (
    "gpu_id" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "processes" JSONB NOT NULL,

    CONSTRAINT "gpu_process_span_pkey" PRIMARY KEY ("gpu_id","valid_from")
);

-- CreateTable
CREATE TABLE "ingest_refusal" (
    "source_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "gpu_id" INTEGER NOT NULL DEFAULT 0,
    "reason" "refusal_reason" NOT NULL,
    "count" BIGINT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "example" TEXT,

    CONSTRAINT "ingest_refusal_pkey" PRIMARY KEY ("source_id","day","gpu_id","reason")
);

-- CreateTable
CREATE TABLE "price" (
    "id" SERIAL NOT NULL,
    "provider" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "unit" "price_unit" NOT NULL,
    "micros" BIGINT NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3),
    "prev_seen_at" TIMESTAMPTZ(3),
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,
    "source" "price_source" NOT NULL,

    CONSTRAINT "price_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cost_owner" (
    "id" SERIAL NOT NULL,
    "team" TEXT NOT NULL,
    "project" TEXT NOT NULL DEFAULT '',
    "environment" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "cost_owner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_row" (
    "key" UUID NOT NULL,
    "period" DATE NOT NULL,
    "day" DATE NOT NULL,
    "charge" "charge_kind" NOT NULL,
    "resource_id" UUID NOT NULL,
    "span_id" BIGINT NOT NULL,
    "price_id" INTEGER,
    "owner_id" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "minutes" INTEGER NOT NULL DEFAULT 0,
    "byte_hours" DECIMAL(40,0),
    "micros" BIGINT,
    "low_micros" BIGINT,
    "high_micros" BIGINT,
    "is_flagged" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "ledger_row_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "usage_day" (
    "resource_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "billed_minutes" INTEGER NOT NULL,
    "reported_minutes" INTEGER NOT NULL,
    "busy_minutes" INTEGER NOT NULL,
    "idle_empty_minutes" INTEGER NOT NULL,
    "idle_held_minutes" INTEGER NOT NULL,
    "idle_empty_micros" BIGINT NOT NULL,
    "idle_held_micros" BIGINT NOT NULL,

    CONSTRAINT "usage_day_pkey" PRIMARY KEY ("resource_id","day")
);

-- CreateTable
CREATE TABLE "alert_rule" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "rule_kind" NOT NULL,
    "pack_key" TEXT,
    "severity" "severity" NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "selector" JSONB NOT NULL DEFAULT '{}',
    "metric" TEXT NOT NULL,
    "comparison" "comparison" NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "clear_threshold" DOUBLE PRECISION,
    "for_ms" INTEGER NOT NULL DEFAULT 0,
    "keep_firing_ms" INTEGER NOT NULL DEFAULT 0,
    "interval_ms" INTEGER NOT NULL DEFAULT 30000,
    "no_data" "no_data" NOT NULL DEFAULT 'unknown',
    "reason" TEXT NOT NULL DEFAULT '',
    "action" TEXT NOT NULL DEFAULT '',
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_rule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rule_eval" (
    "rule_id" UUID NOT NULL,
    "last_slot" TIMESTAMPTZ(3) NOT NULL,
    "failed_slot" TIMESTAMPTZ(3),
    "rule_version" INTEGER NOT NULL,
    "targets" INTEGER NOT NULL DEFAULT 0,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "missed_slots" INTEGER NOT NULL DEFAULT 0,
    "error_slots" INTEGER NOT NULL DEFAULT 0,
    "no_data_slots" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,

    CONSTRAINT "rule_eval_pkey" PRIMARY KEY ("rule_id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "rule_id" UUID NOT NULL,
    "rule_version" INTEGER NOT NULL,
    "target" TEXT NOT NULL,
    "target_name" TEXT NOT NULL,
    "resource_id" UUID,
    "gpu_id" INTEGER,
    "severity" "severity" NOT NULL,
    "status" "alert_status" NOT NULL,
    "active_at" TIMESTAMPTZ(3) NOT NULL,
    "fired_at" TIMESTAMPTZ(3),
    "keep_since" TIMESTAMPTZ(3),
    "unknown_since" TIMESTAMPTZ(3),
    "resolved_at" TIMESTAMPTZ(3),
    "resolve_reason" "resolve_reason",
    "last_slot" TIMESTAMPTZ(3) NOT NULL,
    "first_value" DOUBLE PRECISION,
    "last_value" DOUBLE PRECISION,
    "peak_value" DOUBLE PRECISION,
    "transitions" INTEGER NOT NULL DEFAULT 0,
    "flapping_until" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by_id" UUID,
    "acknowledge_note" TEXT,
    "reraise_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_transition" (
    "alert_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" "transition_kind" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "slot" TIMESTAMPTZ(3),
    "actor_id" UUID,
    "actor" TEXT,
    "value" DOUBLE PRECISION,
    "note" TEXT,

    CONSTRAINT "alert_transition_pkey" PRIMARY KEY ("alert_id","seq")
);

-- CreateTable
CREATE TABLE "channel" (
    "id" UUID NOT NULL,
    "kind" "channel_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "secret_id" UUID NOT NULL,
    "host" TEXT NOT NULL,
    "min_severity" "severity" NOT NULL DEFAULT 'warning',
    "send_resolved" BOOLEAN NOT NULL DEFAULT true,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "channel_id" UUID NOT NULL,
    "alert_id" UUID,
    "kind" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "state" "outbox_state" NOT NULL DEFAULT 'queued',
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_until" TIMESTAMPTZ(3),
    "holder" UUID,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "delivery" (
    "id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "outbox_id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "status_code" INTEGER,
    "error" TEXT,

    CONSTRAINT "delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "intent" (
    "id" UUID NOT NULL,
    "kind" "intent_kind" NOT NULL,
    "state" "intent_state" NOT NULL DEFAULT 'ready',
    "connection_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "target_id" UUID,
    "request" JSONB NOT NULL,
    "plan" JSONB NOT NULL DEFAULT '{}',
    "plan_hash" BYTEA NOT NULL,
    "reason" TEXT,
    "requested_by_id" UUID,
    "requested_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "accepted_at" TIMESTAMPTZ(3),
    "external_id" TEXT,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "unsent" INTEGER NOT NULL DEFAULT 0,
    "next_send_at" TIMESTAMPTZ(3),
    "holder" UUID,
    "look_until" TIMESTAMPTZ(3),
    "watch_until" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error" TEXT,

    CONSTRAINT "intent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "worker_job" (
    "name" TEXT NOT NULL,
    "holder" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "error_since" TIMESTAMPTZ(3),
    "cursor" JSONB,

    CONSTRAINT "worker_job_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "setting" (
    "id" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "next_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "row_version" (
    "table_name" TEXT NOT NULL,
    "row_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_to" TIMESTAMPTZ(3) NOT NULL,
    "row" JSONB NOT NULL,

    CONSTRAINT "row_version_pkey" PRIMARY KEY ("table_name","row_id","version")
);

-- CreateIndex
CREATE UNIQUE INDEX "app_user_email_key" ON "app_user"("email");

-- CreateIndex
CREATE UNIQUE INDEX "session_sid_hash_key" ON "session"("sid_hash");

-- CreateIndex
CREATE INDEX "session_user_id_last_seen_at_idx" ON "session"("user_id", "last_seen_at");

-- CreateIndex
CREATE UNIQUE INDEX "token_prefix_key" ON "token"("prefix");

-- CreateIndex
CREATE INDEX "token_intent_id_idx" ON "token"("intent_id");

-- CreateIndex
CREATE INDEX "token_resource_id_idx" ON "token"("resource_id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_event_seq_key" ON "audit_event"("seq");

-- CreateIndex
CREATE INDEX "audit_event_subject_kind_subject_id_at_idx" ON "audit_event"("subject_kind", "subject_id", "at" DESC);

-- CreateIndex
CREATE INDEX "audit_event_actor_id_at_idx" ON "audit_event"("actor_id", "at" DESC);

-- CreateIndex
CREATE INDEX "audit_event_at_idx" ON "audit_event"("at");

-- CreateIndex
CREATE UNIQUE INDEX "connection_provider_name_key" ON "connection"("provider", "name");

-- CreateIndex
CREATE UNIQUE INDEX "resource_launch_intent_id_key" ON "resource"("launch_intent_id");

-- CreateIndex
CREATE UNIQUE INDEX "resource_connection_id_kind_external_id_key" ON "resource"("connection_id", "kind", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "resource_span_resource_id_valid_from_key" ON "resource_span"("resource_id", "valid_from");

-- CreateIndex
CREATE UNIQUE INDEX "resource_label_resource_id_valid_from_key" ON "resource_label"("resource_id", "valid_from");

-- CreateIndex
CREATE INDEX "provider_event_at_idx" ON "provider_event"("at");

-- CreateIndex
CREATE INDEX "provider_event_resource_id_at_idx" ON "provider_event"("resource_id", "at");

-- CreateIndex
CREATE INDEX "provider_event_external_id_idx" ON "provider_event"("external_id");

-- CreateIndex
CREATE INDEX "telemetry_source_resource_id_idx" ON "telemetry_source"("resource_id");

-- CreateIndex
CREATE UNIQUE INDEX "telemetry_source_token_id_hostname_key" ON "telemetry_source"("token_id", "hostname");

-- CreateIndex
CREATE INDEX "gpu_resource_id_idx" ON "gpu"("resource_id");

-- CreateIndex
CREATE INDEX "gpu_uuid_idx" ON "gpu"("uuid");

-- CreateIndex
CREATE INDEX "price_provider_sku_region_valid_from_idx" ON "price"("provider", "sku", "region", "valid_from");

-- CreateIndex
CREATE UNIQUE INDEX "cost_owner_team_project_environment_key" ON "cost_owner"("team", "project", "environment");

-- CreateIndex
CREATE INDEX "ledger_row_resource_id_day_idx" ON "ledger_row"("resource_id", "day");

-- CreateIndex
CREATE INDEX "usage_day_day_idx" ON "usage_day"("day");

-- CreateIndex
CREATE UNIQUE INDEX "alert_rule_pack_key_key" ON "alert_rule"("pack_key");

-- CreateIndex
CREATE INDEX "alert_rule_id_target_active_at_idx" ON "alert"("rule_id", "target", "active_at" DESC);

-- CreateIndex
CREATE INDEX "alert_resource_id_active_at_idx" ON "alert"("resource_id", "active_at" DESC);

-- CreateIndex
CREATE INDEX "alert_transition_at_idx" ON "alert_transition"("at");

-- CreateIndex
CREATE UNIQUE INDEX "channel_name_key" ON "channel"("name");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_key_key" ON "outbox"("key");

-- CreateIndex
CREATE INDEX "outbox_alert_id_idx" ON "outbox"("alert_id");

-- CreateIndex
CREATE INDEX "delivery_channel_id_started_at_idx" ON "delivery"("channel_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "delivery_outbox_id_idx" ON "delivery"("outbox_id");

-- CreateIndex
CREATE UNIQUE INDEX "intent_token_key" ON "intent"("token");

-- CreateIndex
CREATE INDEX "intent_target_id_created_at_idx" ON "intent"("target_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "intent_created_at_idx" ON "intent"("created_at");

-- CreateIndex
CREATE INDEX "row_version_table_name_valid_to_idx" ON "row_version"("table_name", "valid_to");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token" ADD CONSTRAINT "token_intent_id_fkey" FOREIGN KEY ("intent_id") REFERENCES "intent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token" ADD CONSTRAINT "token_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "token" ADD CONSTRAINT "token_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "poll" ADD CONSTRAINT "poll_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "capacity_span" ADD CONSTRAINT "capacity_span_provider_type_name_fkey" FOREIGN KEY ("provider", "type_name") REFERENCES "instance_type"("provider", "name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "catalog_item" ADD CONSTRAINT "catalog_item_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource" ADD CONSTRAINT "resource_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource" ADD CONSTRAINT "resource_launch_intent_id_fkey" FOREIGN KEY ("launch_intent_id") REFERENCES "intent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_span" ADD CONSTRAINT "resource_span_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_span" ADD CONSTRAINT "resource_span_provider_type_name_fkey" FOREIGN KEY ("provider", "type_name") REFERENCES "instance_type"("provider", "name") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_label" ADD CONSTRAINT "resource_label_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "resource_label" ADD CONSTRAINT "resource_label_by_id_fkey" FOREIGN KEY ("by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_event" ADD CONSTRAINT "provider_event_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_event" ADD CONSTRAINT "provider_event_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telemetry_source" ADD CONSTRAINT "telemetry_source_token_id_fkey" FOREIGN KEY ("token_id") REFERENCES "token"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "telemetry_source" ADD CONSTRAINT "telemetry_source_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gpu" ADD CONSTRAINT "gpu_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gpu" ADD CONSTRAINT "gpu_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "telemetry_source"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "gpu_process_span" ADD CONSTRAINT "gpu_process_span_gpu_id_fkey" FOREIGN KEY ("gpu_id") REFERENCES "gpu"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ingest_refusal" ADD CONSTRAINT "ingest_refusal_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "telemetry_source"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_span_id_fkey" FOREIGN KEY ("span_id") REFERENCES "resource_span"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_price_id_fkey" FOREIGN KEY ("price_id") REFERENCES "price"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "usage_day" ADD CONSTRAINT "usage_day_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rule_eval" ADD CONSTRAINT "rule_eval_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_rule_id_fkey" FOREIGN KEY ("rule_id") REFERENCES "alert_rule"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_gpu_id_fkey" FOREIGN KEY ("gpu_id") REFERENCES "gpu"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_acknowledged_by_id_fkey" FOREIGN KEY ("acknowledged_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_transition" ADD CONSTRAINT "alert_transition_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_transition" ADD CONSTRAINT "alert_transition_actor_id_fkey" FOREIGN KEY ("actor_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel" ADD CONSTRAINT "channel_secret_id_fkey" FOREIGN KEY ("secret_id") REFERENCES "secret"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_channel_id_fkey" FOREIGN KEY ("channel_id") REFERENCES "channel"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_outbox_id_fkey" FOREIGN KEY ("outbox_id") REFERENCES "outbox"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent" ADD CONSTRAINT "intent_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent" ADD CONSTRAINT "intent_target_id_fkey" FOREIGN KEY ("target_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent" ADD CONSTRAINT "intent_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ═══ By hand, from here on ═══════════════════════════════════════════════════════════════════════

CREATE EXTENSION IF NOT EXISTS btree_gist;

-- ── the clock ────────────────────────────────────────────────────────────────────────────────────
-- Empty outside tests. With TEST_CLOCK=1 the one row is what web and worker call now.
CREATE TABLE test_clock (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  at timestamptz(3) NOT NULL
);

CREATE FUNCTION hopperdeck_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT at FROM test_clock), clock_timestamp())
$$;

-- ── telemetry facts ──────────────────────────────────────────────────────────────────────────────
-- Columns run from wide to narrow (alignment). Metrics are those of the catalogue's wide list, in its order: null = missing,
-- and `missing` says why (4 bits per metric, in that order; null = nothing is missing).

CREATE TABLE gpu_sample (
  at timestamptz(3) NOT NULL,
  missing bigint,
  gpu_id integer NOT NULL,
  utilization_pct real,
  memory_used_mib real,
  memory_busy_pct real,
  temperature_c real,
  memory_temperature_c real,
  power_w real,
  sm_clock_mhz real,
  memory_clock_mhz real,
  sm_active_pct real,
  tensor_active_pct real,
  dram_active_pct real,
  memory_reserved_mib real,
  throttle_reasons integer,
  ecc_uncorrected integer,
  quality smallint,             -- bits: 1 late, 2 sender's clock is off
  PRIMARY KEY (gpu_id, at)
) PARTITION BY RANGE (at);

-- The newest sample of each GPU. fillfactor 50 keeps every update HOT.
CREATE TABLE gpu_latest (
  at timestamptz(3) NOT NULL,
  received_at timestamptz(3) NOT NULL,
  missing bigint,
  gpu_id integer PRIMARY KEY REFERENCES gpu (id),
  utilization_pct real,
  memory_used_mib real,
  memory_busy_pct real,
  temperature_c real,
  memory_temperature_c real,
  power_w real,
  sm_clock_mhz real,
  memory_clock_mhz real,
  sm_active_pct real,
  tensor_active_pct real,
  dram_active_pct real,
  memory_reserved_mib real,
  throttle_reasons integer,
  ecc_uncorrected integer
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Hourly per GPU, kept for years. Recomputed whole and upserted, so a replay is harmless and late samples are counted.
CREATE TABLE gpu_hour (
  hour timestamptz(3) NOT NULL,
  utilization_pct_sum double precision,
  memory_used_mib_sum double precision,
  memory_busy_pct_sum double precision,
  temperature_c_sum double precision,
  memory_temperature_c_sum double precision,
  power_w_sum double precision,
  sm_clock_mhz_sum double precision,
  memory_clock_mhz_sum double precision,
  sm_active_pct_sum double precision,
  tensor_active_pct_sum double precision,
  dram_active_pct_sum double precision,
  memory_reserved_mib_sum double precision,
  gpu_id integer NOT NULL,
  utilization_pct_min real,
  utilization_pct_max real,
  memory_used_mib_min real,
  memory_used_mib_max real,
  memory_busy_pct_min real,
  memory_busy_pct_max real,
  temperature_c_min real,
  temperature_c_max real,
  memory_temperature_c_min real,
  memory_temperature_c_max real,
  power_w_min real,
  power_w_max real,
  sm_clock_mhz_min real,
  sm_clock_mhz_max real,
  memory_clock_mhz_min real,
  memory_clock_mhz_max real,
  sm_active_pct_min real,
  sm_active_pct_max real,
  tensor_active_pct_min real,
  tensor_active_pct_max real,
  dram_active_pct_min real,
  dram_active_pct_max real,
  memory_reserved_mib_min real,
  memory_reserved_mib_max real,
  utilization_pct_n smallint,
  memory_used_mib_n smallint,
  memory_busy_pct_n smallint,
  temperature_c_n smallint,
  memory_temperature_c_n smallint,
  power_w_n smallint,
  sm_clock_mhz_n smallint,
  memory_clock_mhz_n smallint,
  sm_active_pct_n smallint,
  tensor_active_pct_n smallint,
  dram_active_pct_n smallint,
  memory_reserved_mib_n smallint,
  samples smallint NOT NULL,
  PRIMARY KEY (gpu_id, hour)
) PARTITION BY RANGE (hour);

-- Distribution of a metric over a scope per 5 minutes: exact counts per bin, so steps and scopes merge by adding.
CREATE TABLE metric_dist (
  scope text NOT NULL,          -- fleet
  metric smallint NOT NULL,
  at timestamptz(3) NOT NULL,
  n integer NOT NULL,
  sum double precision NOT NULL,
  min real NOT NULL,
  max real NOT NULL,
  bins bytea NOT NULL,
  PRIMARY KEY (scope, metric, at)
) PARTITION BY RANGE (at);

-- The same per hour, kept for years: twelve rows of metric_dist added up.
CREATE TABLE metric_dist_hour (LIKE metric_dist INCLUDING ALL) PARTITION BY RANGE (at);

-- Five-minute buckets of GPUs whose derived rows (hours, distributions) are behind the samples. Marked by ingest in the
-- commit of the samples, taken by the roll-up in the commit of what it derives.
CREATE TABLE telemetry_dirty (
  gpu_id integer NOT NULL,
  bucket timestamptz(3) NOT NULL,
  PRIMARY KEY (gpu_id, bucket)
);

/* Makes the partitions that cover [from_at, to_at); idempotent, safe from two workers. */
CREATE FUNCTION ensure_partitions(parent regclass, every interval, from_at timestamptz, to_at timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  p timestamptz := date_trunc(CASE WHEN every = interval '1 day' THEN 'day' ELSE 'month' END, from_at, 'UTC');
  child text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('partitions'));
  WHILE p < to_at LOOP
    child := format('%s_p%s', parent::text, to_char(p AT TIME ZONE 'UTC', CASE WHEN every = interval '1 day' THEN 'YYYYMMDD' ELSE 'YYYYMM' END));
    IF to_regclass(child) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', child, parent, p, (p AT TIME ZONE 'UTC' + every) AT TIME ZONE 'UTC');
      made := made + 1;
    END IF;
    p := (p AT TIME ZONE 'UTC' + every) AT TIME ZONE 'UTC';
  END LOOP;
  RETURN made;
END $$;

/* Drops partitions that end at or before the limit: retention costs a catalogue entry, not a scan. */
CREATE FUNCTION drop_partitions(parent regclass, before timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE r record; dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('partitions'));
  FOR r IN
    SELECT c.oid::regclass::text AS child, (regexp_match(pg_get_expr(c.relpartbound, c.oid), $x$TO \('([^']+)'\)$x$))[1]::timestamptz AS upper
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = parent
  LOOP
    IF r.upper <= before THEN EXECUTE format('DROP TABLE %s', r.child); dropped := dropped + 1; END IF;
  END LOOP;
  RETURN dropped;
END $$;

-- ── one truth per interval ───────────────────────────────────────────────────────────────────────
ALTER TABLE price ADD CONSTRAINT price_no_overlap EXCLUDE USING gist
  (provider WITH =, sku WITH =, region WITH =, unit WITH =, tstzrange(valid_from, valid_to) WITH &&);
-- range first, so that the same index answers "the fleet at T"
ALTER TABLE resource_span ADD CONSTRAINT resource_span_no_overlap EXCLUDE USING gist
  (tstzrange(valid_from, valid_to) WITH &&, resource_id WITH =);
ALTER TABLE resource_label ADD CONSTRAINT resource_label_no_overlap EXCLUDE USING gist
  (resource_id WITH =, tstzrange(valid_from, valid_to) WITH &&);
ALTER TABLE capacity_span ADD CONSTRAINT capacity_span_no_overlap EXCLUDE USING gist
  (provider WITH =, type_name WITH =, region WITH =, tstzrange("from", "to") WITH &&);

-- ── checks ───────────────────────────────────────────────────────────────────────────────────────
ALTER TABLE app_user ADD CONSTRAINT app_user_email_lower CHECK (email = lower(email));
ALTER TABLE token ADD CONSTRAINT token_hash_sha256 CHECK (octet_length(secret_hash) = 32),
  ADD CONSTRAINT token_enrolment_of_something CHECK (kind <> 'enrolment' OR intent_id IS NOT NULL OR resource_id IS NOT NULL),
  ADD CONSTRAINT token_has_role CHECK (kind NOT IN ('api', 'invite') OR role IS NOT NULL);
ALTER TABLE session ADD CONSTRAINT session_hash_sha256 CHECK (octet_length(sid_hash) = 32);
ALTER TABLE secret ADD CONSTRAINT secret_gcm CHECK (octet_length(nonce) = 12 AND octet_length(ciphertext) >= 16);
ALTER TABLE resource ADD CONSTRAINT resource_gone CHECK ((gone_at IS NULL) = (gone_reason IS NULL)),
  ADD CONSTRAINT resource_bill_from CHECK (bill_from_low >= bill_from_best AND bill_from_best >= bill_from_high),
  ADD CONSTRAINT resource_bill_to CHECK (bill_to_low <= bill_to_best AND bill_to_best <= bill_to_high);
ALTER TABLE resource_span ADD CONSTRAINT resource_span_order CHECK (valid_to > valid_from AND last_seen_at < valid_to),
  ADD CONSTRAINT resource_span_price CHECK (price_micros >= 0);
ALTER TABLE resource_label ADD CONSTRAINT resource_label_order CHECK (valid_to > valid_from);
ALTER TABLE price ADD CONSTRAINT price_order CHECK (valid_to > valid_from), ADD CONSTRAINT price_micros CHECK (micros >= 0);
ALTER TABLE ledger_row ADD CONSTRAINT ledger_row_order CHECK (ends_at >= starts_at AND minutes >= 0),
  ADD CONSTRAINT ledger_row_bounds CHECK (low_micros <= micros AND micros <= high_micros),
  ADD CONSTRAINT ledger_row_unknown_price CHECK (price_id IS NOT NULL OR micros IS NULL),
  ADD CONSTRAINT ledger_row_in_period CHECK (date_trunc('month', day) = period);
ALTER TABLE usage_day ADD CONSTRAINT usage_day_minutes CHECK (
  busy_minutes >= 0 AND idle_empty_minutes >= 0 AND idle_held_minutes >= 0 AND idle_empty_micros >= 0 AND idle_held_micros >= 0
  AND busy_minutes + idle_empty_minutes + idle_held_minutes <= reported_minutes AND reported_minutes <= billed_minutes);
ALTER TABLE alert_rule ADD CONSTRAINT alert_rule_times CHECK (for_ms >= 0 AND keep_firing_ms >= 0 AND interval_ms >= 1000),
  ADD CONSTRAINT alert_rule_hysteresis CHECK (clear_threshold IS NULL
    OR (comparison IN ('above', 'at_least') AND clear_threshold <= threshold)
    OR (comparison IN ('below', 'at_most') AND clear_threshold >= threshold)),
  ADD CONSTRAINT alert_rule_threshold_number CHECK (threshold <> 'NaN');
ALTER TABLE alert ADD CONSTRAINT alert_resolved CHECK ((status = 'resolved') = (resolved_at IS NOT NULL) AND (resolved_at IS NULL) = (resolve_reason IS NULL)),
  ADD CONSTRAINT alert_fired CHECK (status IN ('pending', 'unknown') OR fired_at IS NOT NULL);
ALTER TABLE intent ADD CONSTRAINT intent_sent CHECK (state NOT IN ('sending', 'indeterminate', 'confirmed', 'adopted', 'closed_unconfirmed') OR sent_at IS NOT NULL),
  ADD CONSTRAINT intent_settled CHECK ((state IN ('confirmed', 'adopted', 'refused', 'closed_unconfirmed', 'cancelled', 'expired')) = (settled_at IS NOT NULL)),
  ADD CONSTRAINT intent_target CHECK (kind = 'launch' OR target_id IS NOT NULL),
  ADD CONSTRAINT intent_sent_at_most_once CHECK (kind = 'terminate' OR sends <= 1);
ALTER TABLE gpu ADD CONSTRAINT gpu_known_by CHECK (resource_id IS NOT NULL OR source_id IS NOT NULL);

-- ── partial indexes, each for one question ───────────────────────────────────────────────────────
-- what the provider says now
CREATE UNIQUE INDEX resource_span_open ON resource_span (resource_id) WHERE valid_to IS NULL;
CREATE UNIQUE INDEX resource_label_open ON resource_label (resource_id) WHERE valid_to IS NULL;
CREATE UNIQUE INDEX capacity_span_open ON capacity_span (provider, type_name, region) WHERE "to" IS NULL;
CREATE UNIQUE INDEX price_open ON price (provider, sku, region, unit) WHERE valid_to IS NULL;
-- the fleet list, and lives still being metered
CREATE INDEX resource_present ON resource (kind) WHERE gone_at IS NULL;
CREATE INDEX resource_unmetered ON resource (id) WHERE NOT metered_final;
-- one GPU per rental; unassigned senders by source
CREATE UNIQUE INDEX gpu_of_resource ON gpu (resource_id, uuid, mig) WHERE resource_id IS NOT NULL;
CREATE UNIQUE INDEX gpu_of_source ON gpu (source_id, uuid, mig) WHERE resource_id IS NULL;
CREATE INDEX telemetry_source_unassigned ON telemetry_source (last_received_at) WHERE resource_id IS NULL;
-- sessions of a person that still live
CREATE INDEX session_live ON session (user_id) WHERE revoked_at IS NULL;
-- month by day, owner or resource without touching the heap; always true, since Prisma drops covering indexes that it can see
CREATE INDEX ledger_row_month ON ledger_row (period, day, owner_id) INCLUDE (resource_id, charge, micros, low_micros, high_micros, minutes)
  WHERE period IS NOT NULL;
-- one open episode per rule and target: the state, and the guard against two
CREATE UNIQUE INDEX alert_open ON alert (rule_id, target) WHERE resolved_at IS NULL;
CREATE INDEX alert_inbox ON alert (severity DESC, fired_at) WHERE resolved_at IS NULL;
CREATE INDEX alert_reraise ON alert (reraise_at) WHERE resolved_at IS NULL AND reraise_at IS NOT NULL;
-- alerts at T, and alerts of a window
CREATE INDEX alert_life ON alert USING gist (tstzrange(fired_at, resolved_at)) WHERE fired_at IS NOT NULL;
CREATE INDEX alert_of_gpu ON alert (gpu_id, active_at DESC) WHERE gpu_id IS NOT NULL;
-- an evaluator's transition once per slot and kind (alerts B39)
CREATE UNIQUE INDEX alert_transition_once ON alert_transition (alert_id, kind, slot) WHERE slot IS NOT NULL;
-- the sender's claim, lost leases; one event in flight per episode and channel (B37)
CREATE INDEX outbox_due ON outbox (next_at) WHERE state = 'queued';
CREATE INDEX outbox_lost ON outbox (lease_until) WHERE state = 'sending';
CREATE UNIQUE INDEX outbox_one_in_flight ON outbox (channel_id, alert_id) WHERE state = 'sending' AND alert_id IS NOT NULL;
-- the mutation queue; never two launches in flight per connection
CREATE INDEX intent_ready ON intent (queued_at) WHERE state = 'ready';
CREATE INDEX intent_unsettled ON intent (state, created_at) WHERE settled_at IS NULL;
CREATE UNIQUE INDEX intent_one_launch_in_flight ON intent (connection_id) WHERE state = 'sending' AND kind = 'launch';
-- a second click does not make a second terminate
CREATE UNIQUE INDEX intent_one_terminate ON intent (target_id) WHERE kind = 'terminate' AND settled_at IS NULL;
CREATE INDEX intent_watch ON intent (watch_until) WHERE watch_until IS NOT NULL;

-- ── audit: gapless, chained, never changed ───────────────────────────────────────────────────────
/* What is hashed: a JSON array, so no field can bleed into the next. */
CREATE FUNCTION audit_canonical(e audit_event) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT convert_to(jsonb_build_array(e.seq, e.id, round(extract(epoch FROM e.at) * 1000)::bigint, e.actor_kind::text, e.actor_id, e.actor, e.action,
    e.subject_kind, e.subject_id, e.subject, e.changes, e.reason, e.ip)::text, 'UTF8')
$$;

/* One writer at a time until commit, so an audit row is inserted last. The tail is read by index, not kept in a head row. */
CREATE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE tail record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('audit_event'));
  SELECT seq, hash INTO tail FROM audit_event ORDER BY seq DESC LIMIT 1;
  NEW.seq := coalesce(tail.seq, 0) + 1;
  NEW.prev_hash := coalesce(tail.hash, sha256('hopperdeck'::bytea));
  NEW.hash := sha256(NEW.prev_hash || audit_canonical(NEW));
  RETURN NEW;
END $$;
CREATE TRIGGER audit_event_chain BEFORE INSERT ON audit_event FOR EACH ROW EXECUTE FUNCTION audit_chain();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'HD001';
END $$;
CREATE TRIGGER audit_event_append_only BEFORE UPDATE OR DELETE ON audit_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_no_truncate BEFORE TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER poll_append_only BEFORE UPDATE ON poll FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER alert_transition_append_only BEFORE UPDATE OR DELETE ON alert_transition FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- ── price: an interval is closed, its figure never changes ───────────────────────────────────────
CREATE FUNCTION price_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.provider, NEW.sku, NEW.region, NEW.unit, NEW.micros, NEW.valid_from, NEW.recorded_at)
     IS DISTINCT FROM (OLD.provider, OLD.sku, OLD.region, OLD.unit, OLD.micros, OLD.valid_from, OLD.recorded_at)
     OR (OLD.valid_to IS NOT NULL AND NEW.valid_to IS DISTINCT FROM OLD.valid_to) THEN
    RAISE EXCEPTION 'a price is closed, never changed' USING ERRCODE = 'HD001';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER price_never_changes BEFORE UPDATE ON price FOR EACH ROW EXECUTE FUNCTION price_keep();

-- ── history of configuration ─────────────────────────────────────────────────────────────────────
CREATE FUNCTION keep_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'version' - 'updated_at' = to_jsonb(OLD) - 'version' - 'updated_at' THEN RETURN NEW; END IF;
    NEW.version := OLD.version + 1;
    IF NEW.updated_at <= OLD.updated_at THEN NEW.updated_at := greatest(hopperdeck_now(), OLD.updated_at + interval '1 ms'); END IF;
  END IF;
  INSERT INTO row_version (table_name, row_id, version, valid_from, valid_to, row)
  VALUES (TG_TABLE_NAME, to_jsonb(OLD) ->> 'id', OLD.version, OLD.updated_at,
          CASE WHEN TG_OP = 'UPDATE' THEN NEW.updated_at ELSE greatest(hopperdeck_now(), OLD.updated_at + interval '1 ms') END, to_jsonb(OLD));
  RETURN CASE WHEN TG_OP = 'UPDATE' THEN NEW ELSE OLD END;
END $$;
CREATE TRIGGER alert_rule_version BEFORE UPDATE OR DELETE ON alert_rule FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER channel_version BEFORE UPDATE OR DELETE ON channel FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER setting_version BEFORE UPDATE OR DELETE ON setting FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER row_version_append_only BEFORE UPDATE OR DELETE ON row_version FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- row 0: nobody's money, until somebody says
INSERT INTO cost_owner (id, team) VALUES (0, '');
