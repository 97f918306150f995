import { instantCell } from "@/lib/domain/cells";
import type { TableColumn } from "@/lib/domain/table";
import type { Act } from "./view";

export const ACTIVITY_COLUMNS: readonly TableColumn<Act>[] = [
  { name: "at_utc", cell: (act) => instantCell(act.at) },
  { name: "source", cell: (act) => act.source },
  { name: "who_kind", cell: (act) => act.who.kind },
  { name: "who", cell: (act) => act.who.name },
  { name: "action", cell: (act) => act.action },
  { name: "words", cell: (act) => act.words },
  { name: "subject", cell: (act) => act.subject },
  { name: "changes", cell: (act) => (Object.keys(act.changes).length === 0 ? null : JSON.stringify(act.changes)) },
  { name: "reason", cell: (act) => act.reason },
  { name: "ip", cell: (act) => act.ip },
  { name: "seq", cell: (act) => act.seq },
  { name: "hash", cell: (act) => act.hash },
];
