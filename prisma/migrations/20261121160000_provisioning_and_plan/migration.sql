-- CreateEnum
CREATE TYPE "policy_kind" AS ENUM ('lease', 'schedule', 'idle_termination', 'budget_guard', 'capacity_watch');

-- CreateEnum
CREATE TYPE "policy_mode" AS ENUM ('paused', 'shadow', 'armed');

-- CreateEnum
CREATE TYPE "policy_decision" AS ENUM ('planned', 'would_act', 'acted', 'skipped', 'cancelled');

-- CreateEnum
CREATE TYPE "finding_state" AS ENUM ('pending', 'open', 'accepted', 'settled');

-- CreateEnum
CREATE TYPE "quote_status" AS ENUM ('claimed', 'confirmed', 'rejected');

-- CreateEnum
CREATE TYPE "saved_kind" AS ENUM ('view', 'launch_template', 'scenario', 'review', 'checklist');

-- AlterTable
ALTER TABLE "app_user" ADD COLUMN     "oidc_issuer" TEXT,
ADD COLUMN     "oidc_subject" TEXT;

-- AlterTable
ALTER TABLE "intent" ADD COLUMN     "approval_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "approved_at" TIMESTAMPTZ(3),
ADD COLUMN     "approved_by_id" UUID,
ADD COLUMN     "batch_id" UUID,
ADD COLUMN     "break_glass_reason" TEXT,
ADD COLUMN     "policy_id" UUID;

-- AlterTable
ALTER TABLE "resource" ADD COLUMN     "is_protected" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "lease_until" TIMESTAMPTZ(3),
ADD COLUMN     "protect_reason" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "purpose" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "verification" JSONB,
ADD COLUMN     "verified_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "token" ADD COLUMN     "scopes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateTable
CREATE TABLE "policy" (
    "id" UUID NOT NULL,
    "kind" "policy_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "mode" "policy_mode" NOT NULL DEFAULT 'shadow',
    "shadow_since" TIMESTAMPTZ(3) NOT NULL,
    "armed_at" TIMESTAMPTZ(3),
    "armed_by_id" UUID,
    "selector" JSONB NOT NULL DEFAULT '{}',
    "params" JSONB NOT NULL DEFAULT '{}',
    "zone" TEXT NOT NULL DEFAULT 'UTC',
    "cooldown_ms" INTEGER NOT NULL DEFAULT 3600000,
    "max_per_hour" INTEGER NOT NULL DEFAULT 3,
    "created_by_id" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "policy_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policy_action" (
    "policy_id" UUID NOT NULL,
    "target" TEXT NOT NULL,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "decision" "policy_decision" NOT NULL,
    "resource_id" UUID,
    "intent_id" UUID,
    "reason" TEXT NOT NULL,
    "evidence" JSONB NOT NULL DEFAULT '{}',
    "micros" BIGINT,
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "policy_action_pkey" PRIMARY KEY ("policy_id","target","slot")
);

-- CreateTable
CREATE TABLE "declaration" (
    "version" INTEGER NOT NULL,
    "yaml" TEXT NOT NULL,
    "parsed" JSONB NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "declaration_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "finding" (
    "id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "severity" "severity" NOT NULL,
    "state" "finding_state" NOT NULL DEFAULT 'pending',
    "declaration_version" INTEGER NOT NULL,
    "group_name" TEXT,
    "resource_id" UUID,
    "gpu_id" INTEGER,
    "first_poll_at" TIMESTAMPTZ(3) NOT NULL,
    "agreed_polls" INTEGER NOT NULL DEFAULT 1,
    "last_poll_at" TIMESTAMPTZ(3) NOT NULL,
    "settled_at" TIMESTAMPTZ(3),
    "evidence" JSONB NOT NULL,
    "month_micros" BIGINT,
    "memory_gb" DOUBLE PRECISION,
    "accepted_by_id" UUID,
    "accepted_reason" TEXT,
    "accepted_until" TIMESTAMPTZ(3),
    "assignee_id" UUID,

    CONSTRAINT "finding_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quote" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "type_name" TEXT NOT NULL,
    "region" TEXT NOT NULL DEFAULT '',
    "tier" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "gpu" TEXT NOT NULL DEFAULT '',
    "gpus" INTEGER NOT NULL,
    "gpu_memory_gb" DOUBLE PRECISION,
    "vcpus" INTEGER,
    "memory_gib" DOUBLE PRECISION,
    "micros" BIGINT NOT NULL,
    "status" "quote_status" NOT NULL DEFAULT 'claimed',
    "source" TEXT NOT NULL,
    "as_of" DATE NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "quote_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "other_spend" (
    "provider" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "micros" BIGINT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "created_by_id" UUID,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "other_spend_pkey" PRIMARY KEY ("provider","month")
);

-- CreateTable
CREATE TABLE "saved_item" (
    "id" UUID NOT NULL,
    "kind" "saved_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "owner_id" UUID,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "body" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "saved_item_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "policy_action_slot_idx" ON "policy_action"("slot");

-- CreateIndex
CREATE INDEX "policy_action_resource_id_slot_idx" ON "policy_action"("resource_id", "slot");

-- CreateIndex
CREATE INDEX "finding_resource_id_idx" ON "finding"("resource_id");

-- CreateIndex
CREATE INDEX "quote_gpu_as_of_idx" ON "quote"("gpu", "as_of");

-- CreateIndex
CREATE UNIQUE INDEX "quote_provider_type_name_region_tier_unit_as_of_source_key" ON "quote"("provider", "type_name", "region", "tier", "unit", "as_of", "source");

-- CreateIndex
CREATE INDEX "saved_item_kind_owner_id_idx" ON "saved_item"("kind", "owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "app_user_oidc_issuer_oidc_subject_key" ON "app_user"("oidc_issuer", "oidc_subject");

-- CreateIndex
CREATE INDEX "intent_batch_id_idx" ON "intent"("batch_id");

-- AddForeignKey
ALTER TABLE "intent" ADD CONSTRAINT "intent_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policy"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "intent" ADD CONSTRAINT "intent_approved_by_id_fkey" FOREIGN KEY ("approved_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy" ADD CONSTRAINT "policy_armed_by_id_fkey" FOREIGN KEY ("armed_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy" ADD CONSTRAINT "policy_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_action" ADD CONSTRAINT "policy_action_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policy"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_action" ADD CONSTRAINT "policy_action_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_action" ADD CONSTRAINT "policy_action_intent_id_fkey" FOREIGN KEY ("intent_id") REFERENCES "intent"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "declaration" ADD CONSTRAINT "declaration_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_declaration_version_fkey" FOREIGN KEY ("declaration_version") REFERENCES "declaration"("version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_resource_id_fkey" FOREIGN KEY ("resource_id") REFERENCES "resource"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_gpu_id_fkey" FOREIGN KEY ("gpu_id") REFERENCES "gpu"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_accepted_by_id_fkey" FOREIGN KEY ("accepted_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "finding" ADD CONSTRAINT "finding_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quote" ADD CONSTRAINT "quote_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "other_spend" ADD CONSTRAINT "other_spend_created_by_id_fkey" FOREIGN KEY ("created_by_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "saved_item" ADD CONSTRAINT "saved_item_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "app_user"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma cannot say.
ALTER TABLE "token" ALTER COLUMN "scopes" SET NOT NULL;
CREATE TRIGGER policy_version BEFORE UPDATE OR DELETE ON "policy" FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER saved_item_version BEFORE UPDATE OR DELETE ON "saved_item" FOR EACH ROW EXECUTE FUNCTION keep_version();
CREATE TRIGGER declaration_append_only BEFORE UPDATE OR DELETE ON "declaration" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE UNIQUE INDEX "finding_open" ON "finding"("key") WHERE "settled_at" IS NULL;
ALTER TABLE "policy" ADD CONSTRAINT "policy_bounds" CHECK ("cooldown_ms" >= 0 AND "max_per_hour" BETWEEN 0 AND 1000);
ALTER TABLE "policy" ADD CONSTRAINT "policy_armed" CHECK ("mode" <> 'armed' OR "armed_at" IS NOT NULL);
ALTER TABLE "intent" ADD CONSTRAINT "intent_approved_by_another" CHECK ("approved_by_id" IS NULL OR "approved_by_id" <> "requested_by_id");
ALTER TABLE "quote" ADD CONSTRAINT "quote_price" CHECK ("micros" >= 0 AND "gpus" >= 0);
ALTER TABLE "other_spend" ADD CONSTRAINT "other_spend_month" CHECK (extract(day from "month") = 1 AND "micros" >= 0);
ALTER TABLE "finding" ADD CONSTRAINT "finding_accepted" CHECK ("state" <> 'accepted' OR "accepted_reason" IS NOT NULL);
