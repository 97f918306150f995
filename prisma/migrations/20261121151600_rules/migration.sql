-- How many slots were missed before the last one that was judged; missed_slots counts all of them.
ALTER TABLE rule_eval ADD COLUMN IF NOT EXISTS missed_in_a_row integer NOT NULL DEFAULT 0;

-- One alert that becomes critical takes the place of two for one silent machine.
UPDATE alert_rule SET params = '{"critical": 300000}' WHERE pack_key = 'telemetry-lost' AND params = '{}';
UPDATE alert SET status = 'resolved', resolved_at = hopperdeck_now(), resolve_reason = 'rule_deleted'
WHERE resolved_at IS NULL AND rule_id IN (SELECT id FROM alert_rule WHERE pack_key = 'telemetry-lost-long' AND version = 1);
UPDATE alert_rule SET deleted_at = hopperdeck_now(), enabled = false WHERE pack_key = 'telemetry-lost-long' AND version = 1 AND deleted_at IS NULL;
