import { streamRows, type Within } from "@/lib/db/cursor";
import type { FocusCharge, FocusSource } from "@/lib/domain/focus/source";

// The list price at the row's beginning, where what is billed is another: negotiated, or covered by a commitment.
const LIST_PRICE = `select x.micros from price x
   where x.provider = coalesce(s.provider, k.provider) and x.sku = coalesce(s.type_name, case when l.charge = 'storage' then 'filesystem' end, k.sku)
     and x.unit = (case when l.charge = 'storage' then 'gib_month' else 'instance_hour' end)::price_unit and x.tier = 'on_demand' and x.superseded_at is null
     and x.region in ('*', coalesce(s.region, k.region)) and x.valid_from <= l.starts_at and (x.valid_to is null or x.valid_to > l.starts_at)
   order by x.region = '*', x.valid_from desc limit 1`;

const SELECT = `select l.key::text as key, l.charge::text as charge, l.day::text as day, to_char(l.period, 'YYYY-MM') as month,
   l.starts_at as "startsAt", l.ends_at as "endsAt", l.minutes, l.byte_hours::text as "byteHours",
   l.micros::text as micros, l.low_micros::text as low, l.high_micros::text as high, l.effective_micros::text as effective,
   l.is_flagged as "isFlagged", l.corrects_key::text as "correctsKey", l.note, l.price_id as "priceId", p.micros::text as price,
   case when p.tier = 'on_demand' and l.commitment_id is null then p.micros::text else coalesce(listed.micros, p.micros)::text end as list,
   r.external_id as "externalId", s.name, s.region, s.type_name as "typeName",
   t.gpu_model as "gpuModel", t.gpus, t.gpu_memory_gb as "gpuMemoryGb", t.vcpus, t.memory_gib as "memoryGib",
   o.team, o.project, o.environment, o.cost_center as "costCenter",
   coalesce(ci.number, billed.number) as "invoiceNumber", billed.line as "invoiceLine",
   k.id::text as "commitmentId", k.name as "commitmentName", k.sku as "commitmentSku", k.region as "commitmentRegion",
   (k.count * case when k.weekly_micros > 0 and l.micros = k.weekly_micros then 168 else extract(epoch from k."to" - k."from") / 3600 end)::numeric(20, 6)::text as "commitmentHours",
   k.weekly_micros > 0 and l.micros = k.weekly_micros as "isRecurring",
   c.id::text as "accountId", c.name as "accountName"
 from ledger_row l join cost_owner o on o.id = l.owner_id
 left join resource_span s on s.id = l.span_id left join resource r on r.id = l.resource_id
 left join instance_type t on t.provider = s.provider and t.name = s.type_name
 left join price p on p.id = l.price_id
 left join commitment k on k.id = l.commitment_id
 left join charge h on h.id = l.charge_id left join invoice ci on ci.id = h.invoice_id
 left join lateral (${LIST_PRICE}) listed on p.tier is distinct from 'on_demand' or l.commitment_id is not null
 left join connection c on c.id = coalesce(r.connection_id, ci.connection_id, (select id from connection order by created_at limit 1))
 left join lateral (
   select i.number, i.number || '/' || n.line as line from invoice i
   left join invoice_line n on n.invoice_id = i.id and n.external_id = r.external_id and n.charge = l.charge and l.day between coalesce(n.from_day, i.from_day) and coalesce(n.to_day, i.to_day)
   where i.connection_id = r.connection_id and l.day between i.from_day and i.to_day
   order by i.issued_on, i.id, n.line limit 1) billed on l.corrects_key is null
 where l.period = $1::date order by l.day, l.starts_at, l.key`;

type Raw = {
  key: string;
  charge: FocusCharge;
  day: string;
  month: string;
  startsAt: Date;
  endsAt: Date;
  minutes: number;
  byteHours: string | null;
  micros: string | null;
  low: string | null;
  high: string | null;
  effective: string | null;
  isFlagged: boolean;
  correctsKey: string | null;
  note: string | null;
  priceId: number | null;
  price: string | null;
  list: string | null;
  externalId: string | null;
  name: string | null;
  region: string | null;
  typeName: string | null;
  gpuModel: string | null;
  gpus: number | null;
  gpuMemoryGb: number | null;
  vcpus: number | null;
  memoryGib: number | null;
  team: string;
  project: string;
  environment: string;
  costCenter: string;
  invoiceNumber: string | null;
  invoiceLine: string | null;
  commitmentId: string | null;
  commitmentName: string | null;
  commitmentSku: string | null;
  commitmentRegion: string | null;
  commitmentHours: string | null;
  isRecurring: boolean | null;
  accountId: string | null;
  accountName: string | null;
};

/** The rows that count in a month, as an export needs them, in order of time; as of one instant. */
export async function* streamFocus(
  month: string,
  first?: (client: Within) => Promise<void>,
): AsyncGenerator<FocusSource[]> {
  for await (const rows of streamRows<Raw>(SELECT, [`${month}-01`], first)) yield rows.map(toSource);
}

const big = (text: string | null) => (text === null ? null : BigInt(text));

function toSource(row: Raw): FocusSource {
  const { gpuModel, gpus, gpuMemoryGb, vcpus, memoryGib, team, project, environment, costCenter } = row;
  return {
    key: row.key,
    charge: row.charge,
    day: row.day,
    month: row.month,
    startsAt: row.startsAt.getTime(),
    endsAt: row.endsAt.getTime(),
    minutes: row.minutes,
    byteHours: big(row.byteHours),
    micros: big(row.micros),
    lowMicros: big(row.low),
    highMicros: big(row.high),
    effectiveMicros: big(row.effective),
    isFlagged: row.isFlagged,
    correctsKey: row.correctsKey,
    note: row.note,
    priceId: row.priceId,
    priceMicros: big(row.price),
    listPriceMicros: big(row.list),
    resource: row.externalId === null ? null : { externalId: row.externalId, name: row.name },
    region: row.region,
    type: row.typeName === null ? null : { name: row.typeName, gpuModel, gpus, gpuMemoryGb, vcpus, memoryGib },
    owner: { team, project, environment, costCenter },
    invoiceNumber: row.invoiceNumber,
    invoiceLine: row.invoiceLine,
    commitment: commitmentOf(row),
    account: { id: row.accountId ?? "unknown", name: row.accountName ?? "Lambda Cloud" },
  };
}

function commitmentOf(row: Raw): FocusSource["commitment"] {
  if (row.commitmentId === null) return null;
  return {
    id: row.commitmentId,
    name: row.commitmentName ?? row.commitmentId,
    sku: row.commitmentSku ?? "reservation",
    region: row.commitmentRegion ?? "",
    hours: plain(row.commitmentHours ?? "0"),
    isRecurring: row.isRecurring ?? false,
  };
}

/** Without idle zeros. */
function plain(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
