import type { Labels } from "@/lib/domain/exposition/page";
import { missingWord } from "./quantity";
import { textOrNull } from "./text";

/** What the labels of a series say of the card. */
export type CardLabels = {
  uuid: string | null;
  mig: string;
  index: number | null;
  busId: string | null;
  name: string | null;
  driverVersion: string | null;
  /** The machine that it is in, as the exporter names it. */
  hostname: string | null;
};

type Field = keyof CardLabels | "device";

/** Exporters name the same label in many ways. */
const FIELDS: ReadonlyMap<string, Field> = new Map([
  ["UUID", "uuid"],
  ["uuid", "uuid"],
  ["gpu_uuid", "uuid"],
  ["gpu_UUID", "uuid"],
  ["GPU_I_ID", "mig"],
  ["gpu", "index"],
  ["index", "index"],
  ["gpu_index", "index"],
  ["minor_number", "index"],
  ["device", "device"],
  ["pci_bus_id", "busId"],
  ["modelName", "name"],
  ["model_name", "name"],
  ["name", "name"],
  ["gpu_name", "name"],
  ["product_name", "name"],
  ["DCGM_FI_DRIVER_VERSION", "driverVersion"],
  ["DCGM_FI_SYSTEM_DRIVER_VERSION", "driverVersion"],
  ["driver_version", "driverVersion"],
  ["Hostname", "hostname"],
  ["hostname", "hostname"],
]);

const IDENTIFIER = /^[\w:./-]{1,120}$/;
const BARE_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const INDEX = /^\d{1,4}$/;

/** `GPU-…`, as nvidia-smi writes it; nvidia_gpu_exporter leaves the beginning out. Null for what is no identifier. */
export function uuidOf(text: string): string | null {
  if (BARE_UUID.test(text)) return `GPU-${text.toLowerCase()}`;
  return IDENTIFIER.test(text) && missingWord(text) === null ? text : null;
}

export function readCardLabels(labels: Labels): CardLabels {
  const card: CardLabels = {
    uuid: null,
    mig: "",
    index: null,
    busId: null,
    name: null,
    driverVersion: null,
    hostname: null,
  };
  for (let i = 0; i < labels.length; i += 2) {
    const field = FIELDS.get(labels[i] ?? "");
    if (field !== undefined) readLabel(card, field, labels[i + 1] ?? "");
  }
  return card;
}

function readLabel(card: CardLabels, field: Field, text: string): void {
  switch (field) {
    case "uuid":
      card.uuid ??= uuidOf(text);
      break;
    case "mig":
      if (INDEX.test(text)) card.mig = text;
      break;
    case "index":
      if (INDEX.test(text)) card.index ??= Number(text);
      break;
    case "device":
      card.index ??= /^nvidia\d{1,4}$/.test(text) ? Number(text.slice("nvidia".length)) : null;
      break;
    case "busId":
      card.busId ??= IDENTIFIER.test(text) && missingWord(text) === null ? text : null;
      break;
    default:
      card[field] ??= missingWord(text) === null ? textOrNull(text) : null;
  }
}
