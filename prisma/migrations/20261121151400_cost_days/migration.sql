-- Sums of the ledger per day, kept in the commit that changes its rows: what pages of long ranges read instead of the rows.
-- The words of the key are those that pages stack and filter by; a charge without a resource has its own name as type.
CREATE FUNCTION cost_day_type(charge charge_kind, type_name text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(type_name, CASE WHEN charge IN ('usage', 'storage') THEN 'storage' ELSE charge::text END)
$$;

-- Whoever changes the ledger holds this from before its first row until it commits: nobody waits for another's sums in a ring.
CREATE FUNCTION cost_day_wait() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('cost_day'));
  RETURN NULL;
END $$;

CREATE TYPE cost_day_change AS (
  sign integer, period date, day date, charge charge_kind, owner_id integer, resource_id uuid, span_id bigint, minutes integer,
  micros bigint, low_micros bigint, high_micros bigint, list_micros bigint, effective_micros bigint
);

CREATE FUNCTION cost_day_add(changes cost_day_change[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH delta AS (
    SELECT c.period, c.day, c.charge, c.owner_id, coalesce(r.connection_id::text, '') AS connection_id,
      cost_day_type(c.charge, s.type_name) AS type_name, coalesce(s.region, '') AS region,
      sum(c.sign)::integer AS rows, coalesce(sum(c.sign) FILTER (WHERE c.micros IS NULL), 0)::integer AS unknown_rows,
      sum(c.sign * c.minutes)::bigint AS minutes, coalesce(sum(c.sign * c.micros), 0)::bigint AS micros,
      coalesce(sum(c.sign * c.low_micros), 0)::bigint AS low_micros, coalesce(sum(c.sign * c.high_micros), 0)::bigint AS high_micros,
      coalesce(sum(c.sign * coalesce(c.list_micros, c.micros)), 0)::bigint AS list_micros,
      coalesce(sum(c.sign * coalesce(c.effective_micros, c.micros)), 0)::bigint AS effective_micros
    FROM unnest(changes) c LEFT JOIN resource r ON r.id = c.resource_id LEFT JOIN resource_span s ON s.id = c.span_id
    GROUP BY 1, 2, 3, 4, 5, 6, 7
  )
  INSERT INTO cost_day AS d SELECT * FROM delta x
  WHERE (x.rows, x.unknown_rows, x.minutes, x.micros, x.low_micros, x.high_micros, x.list_micros, x.effective_micros) IS DISTINCT FROM (0, 0, 0, 0, 0, 0, 0, 0)
  ON CONFLICT (period, day, charge, owner_id, connection_id, type_name, region) DO UPDATE SET
    rows = d.rows + excluded.rows, unknown_rows = d.unknown_rows + excluded.unknown_rows, minutes = d.minutes + excluded.minutes,
    micros = d.micros + excluded.micros, low_micros = d.low_micros + excluded.low_micros, high_micros = d.high_micros + excluded.high_micros,
    list_micros = d.list_micros + excluded.list_micros, effective_micros = d.effective_micros + excluded.effective_micros;
  -- Only a row that went can leave a sum of nothing.
  IF EXISTS (SELECT FROM unnest(changes) c WHERE c.sign < 0) THEN
    DELETE FROM cost_day d USING (SELECT DISTINCT c.period, c.day, c.charge, c.owner_id FROM unnest(changes) c WHERE c.sign < 0) x
    WHERE d.rows = 0 AND d.period = x.period AND d.day = x.day AND d.charge = x.charge AND d.owner_id = x.owner_id;
  END IF;
END $$;

CREATE FUNCTION cost_day_keep() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changes cost_day_change[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT array_agg((1, period, day, charge, owner_id, resource_id, span_id, minutes, micros, low_micros, high_micros, list_micros, effective_micros)::cost_day_change)
      INTO changes FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT array_agg((-1, period, day, charge, owner_id, resource_id, span_id, minutes, micros, low_micros, high_micros, list_micros, effective_micros)::cost_day_change)
      INTO changes FROM removed;
  ELSE
    SELECT array_agg((x.sign, x.period, x.day, x.charge, x.owner_id, x.resource_id, x.span_id, x.minutes, x.micros, x.low_micros, x.high_micros, x.list_micros, x.effective_micros)::cost_day_change)
      INTO changes FROM (
        SELECT 1 AS sign, period, day, charge, owner_id, resource_id, span_id, minutes, micros, low_micros, high_micros, list_micros, effective_micros FROM added
        UNION ALL
        SELECT -1, period, day, charge, owner_id, resource_id, span_id, minutes, micros, low_micros, high_micros, list_micros, effective_micros FROM removed
      ) x;
  END IF;
  IF changes IS NOT NULL THEN PERFORM cost_day_add(changes); END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION cost_day_empty() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM cost_day;
  RETURN NULL;
END $$;

-- The names sort after those of the closed months: what they refuse is not summed.
CREATE TRIGGER ledger_row_day_wait BEFORE INSERT OR UPDATE OR DELETE ON ledger_row FOR EACH STATEMENT EXECUTE FUNCTION cost_day_wait();
CREATE TRIGGER ledger_row_day_insert AFTER INSERT ON ledger_row REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION cost_day_keep();
CREATE TRIGGER ledger_row_day_update AFTER UPDATE ON ledger_row REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION cost_day_keep();
CREATE TRIGGER ledger_row_day_delete AFTER DELETE ON ledger_row REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION cost_day_keep();
CREATE TRIGGER ledger_row_day_truncate AFTER TRUNCATE ON ledger_row FOR EACH STATEMENT EXECUTE FUNCTION cost_day_empty();

-- Each of a minute's updates of the open day finds room on its page.
ALTER TABLE cost_day SET (fillfactor = 50);
CREATE INDEX cost_day_day_idx ON cost_day (day);
CREATE INDEX ledger_row_day_idx ON ledger_row (day);

-- Creating the triggers has shut out writers until this commits.
INSERT INTO cost_day
SELECT l.period, l.day, l.charge, l.owner_id, coalesce(r.connection_id::text, ''), cost_day_type(l.charge, s.type_name), coalesce(s.region, ''),
  count(*), count(*) FILTER (WHERE l.micros IS NULL), sum(l.minutes), coalesce(sum(l.micros), 0), coalesce(sum(l.low_micros), 0), coalesce(sum(l.high_micros), 0),
  coalesce(sum(coalesce(l.list_micros, l.micros)), 0), coalesce(sum(coalesce(l.effective_micros, l.micros)), 0)
FROM ledger_row l LEFT JOIN resource r ON r.id = l.resource_id LEFT JOIN resource_span s ON s.id = l.span_id
GROUP BY 1, 2, 3, 4, 5, 6, 7;
