-- The open interval is one per tier, and among what is believed; rows say which commitment covers them.
DROP INDEX price_open;
CREATE UNIQUE INDEX price_open ON price (provider, sku, region, unit, tier) WHERE valid_to IS NULL AND superseded_at IS NULL;

ALTER TABLE "ledger_row" ADD COLUMN "commitment_id" UUID;
ALTER TABLE "ledger_row" ADD CONSTRAINT "ledger_row_commitment_id_fkey" FOREIGN KEY ("commitment_id") REFERENCES "commitment"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX ledger_row_of_commitment ON ledger_row (commitment_id, day) WHERE commitment_id IS NOT NULL;

-- What is billed per unit at an instant: a negotiated rate before the list price, a region's own before that of all, a machine's own row last.
CREATE FUNCTION billed_rate(p_provider text, p_sku text, p_region text, p_unit price_unit, p_at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT micros FROM price
  WHERE provider = p_provider AND sku = p_sku AND unit = p_unit AND region IN ('*', p_region) AND superseded_at IS NULL AND tier <> 'committed'
    AND valid_from <= p_at AND (valid_to IS NULL OR valid_to > p_at)
  ORDER BY tier = 'negotiated' DESC, source = 'instance_row', region = '*' LIMIT 1
$$;

-- The same for a thing that is there, as of the last look at its account; a machine that keeps its launch price is billed as it was last.
CREATE FUNCTION rate_now(p_resource uuid, p_provider text, p_sku text, p_region text, p_unit price_unit) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    CASE WHEN (SELECT value->>'price' FROM setting WHERE id = 'accounting') = 'launch' AND p_unit = 'instance_hour' THEN (
      SELECT p.micros FROM ledger_row l JOIN price p ON p.id = l.price_id
      WHERE l.resource_id = p_resource AND l.charge = 'usage' AND l.corrects_key IS NULL ORDER BY l.day DESC, l.starts_at DESC LIMIT 1) END,
    (SELECT billed_rate(p_provider, p_sku, p_region, p_unit, coalesce(greatest(c.last_ok_at, c.types_read_at, c.filesystems_read_at), now()))
     FROM resource r JOIN connection c ON c.id = r.connection_id WHERE r.id = p_resource))
$$;
