-- A rule that shares cost puts it into a pot, and says how the pot is spread.
ALTER TABLE "allocation_rule" ADD COLUMN "pot_id" INTEGER;
ALTER TABLE "allocation_rule" ADD CONSTRAINT "allocation_rule_pot_id_fkey" FOREIGN KEY ("pot_id") REFERENCES "cost_owner"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE allocation_rule ADD CONSTRAINT allocation_rule_pot CHECK ((method = 'whole') = (pot_id IS NULL));
CREATE INDEX cost_owner_pots ON cost_owner (id) WHERE is_shared;
