-- Deploys are marks on the axes of machines, told by programs.
ALTER TYPE "event_kind" ADD VALUE IF NOT EXISTS 'deploy';

-- When a machine that was gone was listed again: nobody watched it meanwhile, and it bills.
ALTER TABLE "resource" ADD COLUMN "returned_at" TIMESTAMPTZ(3);

-- What each evaluation of an open episode saw, of rules that look at no samples: stretches in which the value grew evenly.
CREATE TABLE "alert_judgement" (
    "alert_id" UUID NOT NULL,
    "from_slot" TIMESTAMPTZ(3) NOT NULL,
    "to_slot" TIMESTAMPTZ(3) NOT NULL,
    "value" DOUBLE PRECISION,
    "rise" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "state" "alert_status" NOT NULL,
    CONSTRAINT "alert_judgement_pkey" PRIMARY KEY ("alert_id", "from_slot")
);
CREATE INDEX "alert_judgement_to_slot_idx" ON "alert_judgement"("to_slot");
ALTER TABLE "alert_judgement" ADD CONSTRAINT "alert_judgement_alert_id_fkey" FOREIGN KEY ("alert_id") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;
