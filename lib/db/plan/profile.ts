import { pool } from "@/lib/db/client";
import { type DayProfile, packHours } from "@/lib/domain/plan/profile";

export type ProfileOf = DayProfile & { resourceId: string };

/** A day's profiles of several machines, as far as they are others. */
export async function replaceProfiles(day: string, profiles: readonly ProfileOf[]): Promise<void> {
  if (profiles.length === 0) return;
  await pool().query(
    `insert into usage_profile as p (day, resource_id, hours, peak_mib, stops, resumes)
     select $1::date, x.* from unnest($2::uuid[], $3::bytea[], $4::int[], $5::smallint[], $6::smallint[]) as x
     on conflict (resource_id, day) do update set hours = excluded.hours, peak_mib = excluded.peak_mib, stops = excluded.stops, resumes = excluded.resumes
     where (p.hours, p.peak_mib, p.stops, p.resumes) is distinct from (excluded.hours, excluded.peak_mib, excluded.stops, excluded.resumes)`,
    [
      day,
      profiles.map(({ resourceId }) => resourceId),
      profiles.map(({ hours }) => Buffer.from(packHours(hours))),
      profiles.map(({ peakMib }) => peakMib),
      profiles.map(({ stops }) => stops),
      profiles.map(({ resumes }) => resumes),
    ],
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
  /** One day after the other: how many days after the first asked for it is, in a byte, and its packed hours. In no order. */
  days: Buffer;
  peakMib: number | null;
  stops: number;
  resumes: number;
};

/** Profiles of every machine on days [from, to], of which there are 256 at most. */
export async function listProfiles(from: string, to: string): Promise<ProfileRow[]> {
  const { rows } = await pool().query<ProfileRow>(
    `select resource_id as "resourceId", string_agg(set_byte('\\x00', 0, day - $1::date) || hours, ''::bytea) as days,
       max(peak_mib) as "peakMib", sum(stops)::int as stops, sum(resumes)::int as resumes
     from usage_profile where day between $1::date and $2::date group by resource_id`,
    [from, to],
  );
  return rows;
}
