-- An intent goes forward only; what is settled is never sent again.
CREATE FUNCTION intent_moves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (CASE OLD.state
    WHEN 'draft' THEN NEW.state IN ('awaiting_approval', 'ready', 'cancelled', 'expired')
    WHEN 'awaiting_approval' THEN NEW.state IN ('ready', 'cancelled', 'expired')
    WHEN 'ready' THEN NEW.state IN ('sending', 'confirmed', 'adopted', 'cancelled', 'expired')
    WHEN 'sending' THEN NEW.state IN ('ready', 'indeterminate', 'confirmed', 'adopted', 'refused', 'closed_unconfirmed', 'cancelled')
    WHEN 'indeterminate' THEN NEW.state IN ('adopted', 'closed_unconfirmed')
    WHEN 'confirmed' THEN false
    WHEN 'adopted' THEN false
    ELSE NEW.state = 'adopted'
  END) THEN
    RAISE EXCEPTION 'an intent cannot go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER intent_moves BEFORE UPDATE OF "state" ON "intent" FOR EACH ROW WHEN (OLD."state" IS DISTINCT FROM NEW."state") EXECUTE FUNCTION intent_moves();
-- Nobody's word is enough for what waits for a second person: it is approved, or somebody broke the glass and said why.
ALTER TABLE "intent" ADD CONSTRAINT "intent_approved" CHECK (
  "approval_expires_at" IS NULL OR "approved_at" IS NOT NULL OR "state" IN ('awaiting_approval', 'cancelled', 'expired', 'adopted'));
ALTER TABLE "intent" ADD CONSTRAINT "intent_approved_how" CHECK (
  "approved_at" IS NULL OR "approved_by_id" IS NOT NULL OR "break_glass_reason" IS NOT NULL);
CREATE INDEX "intent_awaiting" ON "intent" ("approval_expires_at") WHERE "state" = 'awaiting_approval';
-- Connection: a refusal of the key that changes things stops changes only.
ALTER TABLE "connection" ADD COLUMN "mutate_frozen_at" TIMESTAMPTZ(3), ADD COLUMN "mutate_checked_at" TIMESTAMPTZ(3);
