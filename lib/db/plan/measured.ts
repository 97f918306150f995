import { pool } from "@/lib/db/client";
import type { ProviderFacts } from "@/lib/domain/plan/providers";

/** What our own looks since an instant say of Lambda: how long machines boot, whether its API answers, whether machines stay well. */
export async function measuredLambda(since: Date): Promise<Omit<ProviderFacts, "days">> {
  const { rows } = await pool().query<Omit<ProviderFacts, "days">>(
    `with boot as (
       select extract(epoch from min(s.valid_from) filter (where s.status = 'active') - r.first_seen_at) * 1000 as ms
       from resource r join resource_span s on s.resource_id = r.id
       where r.kind = 'instance' and r.first_seen_at >= $1 group by r.id
       having bool_or(s.status = 'booting') and bool_or(s.status = 'active'))
     select (select percentile_cont(0.5) within group (order by ms)::float from boot) as "bootMs",
       (select count(*)::int from boot) as boots,
       (select count(*)::int from poll where at >= $1) as polls,
       (select count(*)::int from poll where at >= $1 and outcome not in ('ok', 'suspect')) as "failedPolls",
       u.billed as "billedMinutes", u.unhealthy as "unhealthyMinutes"
     from (select coalesce(sum(billed_minutes), 0)::int as billed, coalesce(sum(unhealthy_minutes), 0)::int as unhealthy from usage_day where day >= $1::date) u`,
    [since],
  );
  const none = { bootMs: null, boots: 0, polls: 0, failedPolls: 0, billedMinutes: 0, unhealthyMinutes: 0 };
  return rows[0] ?? none;
}
