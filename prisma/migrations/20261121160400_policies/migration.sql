-- What the worker last made of a policy: when it looked, what it does, will do and leaves alone. Beside the policy, since a look
-- is no new version of it.
CREATE TABLE "policy_look" (
    "policy_id" UUID NOT NULL,
    "looked_at" TIMESTAMPTZ(3) NOT NULL,
    "outlook" JSONB NOT NULL DEFAULT '[]',
    CONSTRAINT "policy_look_pkey" PRIMARY KEY ("policy_id")
);
ALTER TABLE "policy_look" ADD CONSTRAINT "policy_look_policy_id_fkey" FOREIGN KEY ("policy_id") REFERENCES "policy"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "policy_action_resource_decided_idx" ON "policy_action"("policy_id", "decided_at");
-- A week in shadow before it acts, whoever asks; a watch for capacity is somebody's own request.
ALTER TABLE "policy" ADD CONSTRAINT "policy_week" CHECK ("mode" <> 'armed' OR "kind" = 'capacity_watch' OR "armed_at" >= "shadow_since" + interval '168 hours');
-- What was done stays done: no other row of the same target and slot, and none that is taken back once a request was made of it.
CREATE FUNCTION policy_action_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.intent_id IS NOT NULL AND (NEW.intent_id IS DISTINCT FROM OLD.intent_id OR NEW.decision <> OLD.decision) THEN
    RAISE EXCEPTION 'a request was made of this act already';
  END IF;
  IF OLD.decision IN ('skipped', 'cancelled') AND NEW.decision <> OLD.decision THEN
    RAISE EXCEPTION 'this act was let go already';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER policy_action_guard BEFORE UPDATE ON "policy_action" FOR EACH ROW EXECUTE FUNCTION policy_action_guard();
