-- The one budget that was a setting is the fleet's budget of a month.
INSERT INTO budget (id, name, selector, every, micros, thresholds, from_day, created_at, updated_at)
SELECT gen_random_uuid(), 'The fleet', '{}', 'month', (value ->> 'monthMicros')::bigint,
  '[{"on": "actual", "pct": 80}, {"on": "actual", "pct": 100}, {"on": "forecast", "pct": 100}]', updated_at::date, updated_at, updated_at
FROM setting WHERE id = 'budget' AND (value ->> 'monthMicros')::bigint > 0;

-- CreateIndex
CREATE INDEX "cost_anomaly_day_idx" ON "cost_anomaly"("day");
