import { pool } from "@/lib/db/client";

export type KnownKey = { id: string; name: string; since: Date; usedBy: string[] };

/** The account's SSH keys as last read, with the machines that were launched with each. */
export async function listKeys(): Promise<KnownKey[]> {
  const { rows } = await pool().query<KnownKey>(
    `select c.external_id as id, c.name, c.first_seen_at as since,
       coalesce((select array_agg(coalesce(s.name, r.external_id) order by s.name) from resource r
         join resource_span s on s.resource_id = r.id and s.valid_to is null
         where r.kind = 'instance' and r.gone_at is null and s.attrs -> 'sshKeyNames' ? c.name), '{}') as "usedBy"
     from catalog_item c where c.kind = 'ssh_key' and c.gone_at is null order by c.name`,
  );
  return rows;
}

export type KnownFileSystem = {
  id: string;
  externalId: string;
  name: string;
  region: string;
  bytesUsed: string | null;
  isAttached: boolean | null;
  usedBy: string[];
  /** Of a month of 720 hours at its size of now; null: the size or the price is not known. */
  monthMicros: string | null;
};

export async function listFileSystemsInUse(): Promise<KnownFileSystem[]> {
  const { rows } = await pool().query<KnownFileSystem>(
    `select r.id, r.external_id as "externalId", coalesce(s.name, r.external_id) as name, s.region, s.bytes_used::text as "bytesUsed",
       s.is_attached as "isAttached", round(s.bytes_used * p.micros / 1073741824.0)::text as "monthMicros",
       coalesce((select array_agg(coalesce(m.name, o.external_id) order by m.name) from resource o
         join resource_span m on m.resource_id = o.id and m.valid_to is null
         where o.kind = 'instance' and o.gone_at is null and m.region = s.region and m.attrs -> 'fileSystemNames' ? s.name), '{}') as "usedBy"
     from resource r join resource_span s on s.resource_id = r.id and s.valid_to is null
     left join lateral (select rate_now(r.id, s.provider, 'filesystem', s.region, 'gib_month') as micros) p on true
     where r.kind = 'filesystem' and r.gone_at is null order by s.name, s.region`,
  );
  return rows;
}
