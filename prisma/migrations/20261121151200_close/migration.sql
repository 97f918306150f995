-- A closed month is for ever: what its hash was taken of can be neither changed, nor added to, nor taken from.
-- Whoever writes shares a lock on each month that he touches, whoever closes one holds it alone: a row is either in the hash or refused.
CREATE FUNCTION month_lock_key(month date) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT (month - date '2000-01-01')::integer
$$;

CREATE FUNCTION refuse_closed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE m date;
BEGIN
  FOR m IN SELECT DISTINCT c.period FROM changed c ORDER BY 1 LOOP
    PERFORM pg_advisory_xact_lock_shared(hashtext('period'), month_lock_key(m));
    IF EXISTS (SELECT FROM period p WHERE p.month = m AND p.status = 'closed') THEN
      RAISE EXCEPTION '% is closed: its rows in % never change', to_char(m, 'YYYY-MM'), TG_TABLE_NAME USING ERRCODE = 'HD002';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION refuse_while_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM period WHERE status = 'closed') THEN
    RAISE EXCEPTION 'there are closed months: % is not emptied', TG_TABLE_NAME USING ERRCODE = 'HD002';
  END IF;
  RETURN NULL;
END $$;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['ledger_row', 'shared_cost', 'cost_day'] LOOP
    EXECUTE format('CREATE TRIGGER %I_closed_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed()', t, t);
    EXECUTE format('CREATE TRIGGER %I_closed_update_from AFTER UPDATE ON %I REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed()', t, t);
    EXECUTE format('CREATE TRIGGER %I_closed_update_to AFTER UPDATE ON %I REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed()', t, t);
    EXECUTE format('CREATE TRIGGER %I_closed_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed()', t, t);
    EXECUTE format('CREATE TRIGGER %I_closed_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_while_closed()', t, t);
  END LOOP;
END $$;

CREATE FUNCTION period_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'closed' THEN
    RAISE EXCEPTION '% is closed and is never opened again', to_char(OLD.month, 'YYYY-MM') USING ERRCODE = 'HD002';
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.month <> OLD.month THEN
    RAISE EXCEPTION 'a month keeps its name' USING ERRCODE = 'HD002';
  END IF;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER period_keep BEFORE UPDATE OR DELETE ON period FOR EACH ROW EXECUTE FUNCTION period_keep();
CREATE TRIGGER period_closed_truncate BEFORE TRUNCATE ON period FOR EACH STATEMENT EXECUTE FUNCTION refuse_while_closed();

-- A statement is written in the commit that closes its month, not after it.
CREATE FUNCTION statement_in_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM period p WHERE p.month = NEW.month AND p.status = 'closed') THEN
    RAISE EXCEPTION '% is closed: its statements are written', to_char(NEW.month, 'YYYY-MM') USING ERRCODE = 'HD002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER statement_in_time BEFORE INSERT ON statement FOR EACH ROW EXECUTE FUNCTION statement_in_time();
CREATE TRIGGER statement_no_truncate BEFORE TRUNCATE ON statement FOR EACH STATEMENT EXECUTE FUNCTION refuse_while_closed();

-- The words of who paid stand in the hash of a closed month.
CREATE FUNCTION cost_owner_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger_row l JOIN period p ON p.month = l.period AND p.status = 'closed' WHERE l.owner_id = OLD.id) THEN
    RAISE EXCEPTION 'a closed month names this payer: make another one instead' USING ERRCODE = 'HD002';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER cost_owner_keep BEFORE UPDATE OF team, project, environment, cost_center ON cost_owner FOR EACH ROW
  WHEN ((OLD.team, OLD.project, OLD.environment, OLD.cost_center) IS DISTINCT FROM (NEW.team, NEW.project, NEW.environment, NEW.cost_center))
  EXECUTE FUNCTION cost_owner_keep();
