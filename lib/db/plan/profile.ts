import { pool } from "@/lib/db/client";
import { type DayProfile, packHours } from "@/lib/domain/plan/profile";

export async function replaceProfile(resourceId: string, day: string, profile: DayProfile): Promise<void> {
  const { hours, peakMib, stops, resumes } = profile;
  await pool().query(
    `insert into usage_profile (resource_id, day, hours, peak_mib, stops, resumes) values ($1, $2::date, $3, $4, $5, $6)
     on conflict (resource_id, day) do update set hours = excluded.hours, peak_mib = excluded.peak_mib, stops = excluded.stops, resumes = excluded.resumes`,
    [resourceId, day, Buffer.from(packHours(hours)), peakMib, stops, resumes],
  );
}

/** The newest day with usage that was measured before profiles were kept; null: there is none from a day on. */
export async function dayWithoutProfile(fromDay: string, beforeDay: string): Promise<string | null> {
  const { rows } = await pool().query<{ day: string }>(
    `select u.day::text as day from usage_day u where u.day >= $1::date and u.day < $2::date and u.reported_minutes > 0
       and not exists (select 1 from usage_profile p where p.resource_id = u.resource_id and p.day = u.day) order by u.day desc limit 1`,
    [fromDay, beforeDay],
  );
  return rows[0]?.day ?? null;
}

/** Machines of a day that cannot be measured any more have a profile of nothing, so that nobody tries again. */
export async function closeProfiles(day: string): Promise<void> {
  await pool().query(
    `insert into usage_profile (resource_id, day, hours) select resource_id, day, decode(repeat('00', 125), 'hex') from usage_day where day = $1::date
     on conflict (resource_id, day) do nothing`,
    [day],
  );
}

export type ProfileRow = {
  resourceId: string;
  /** Days after the first day asked for, in order, and their packed hours one after the other. */
  days: number[];
  hours: Buffer;
  peakMib: number | null;
  stops: number;
  resumes: number;
};

/** Profiles of every machine on days [from, to]. */
export async function listProfiles(from: string, to: string): Promise<ProfileRow[]> {
  const { rows } = await pool().query<ProfileRow>(
    `select resource_id as "resourceId", array_agg((day - $1::date)::int order by day) as days, string_agg(hours, ''::bytea order by day) as hours,
       max(peak_mib) as "peakMib", sum(stops)::int as stops, sum(resumes)::int as resumes
     from usage_profile where day between $1::date and $2::date group by resource_id`,
    [from, to],
  );
  return rows;
}
