import { CODES, NOTES, RETIRED } from "./catalogue";

export type XidSeverity = "info" | "warning" | "critical";
export type XidOwner = "workload" | "memory" | "nvlink" | "firmware" | "platform" | "c2c" | "other";
/** What a tenant does, who has the machine but not the hardware. */
export type TenantAction =
  | "tell_owner"
  | "monitor"
  | "plan_reset"
  | "restart_app"
  | "reset"
  | "restart_instance"
  | "drain_ticket"
  | "ticket"
  | "follow_48"
  | "follow_other"
  | "follow_text";

export type XidCode = {
  code: number;
  mnemonic: string;
  meaning: string;
  /** Columns of NVIDIA's catalogue in which it is listed. */
  gpus: readonly CatalogueGpu[];
  immediate: string | null;
  investigatory: string | null;
  /** The driver from which Xid 154 accompanies it. */
  xid154Since: string | null;
  /** `follow_text`: Xid 154, whose text decides. */
  severity: XidSeverity | "follow_text";
  owner: XidOwner;
  /** Null for a retired code. */
  tenant: TenantAction | null;
  note: string | null;
  isRetired: boolean;
};

const COLUMNS = { A: "A100", H: "H100", B: "B100", G: "GB200" } as const;
export type CatalogueGpu = (typeof COLUMNS)[keyof typeof COLUMNS];

const UNUSED = "Unused";

const ALL: ReadonlyMap<number, XidCode> = new Map(
  [...lines(CODES).map(readCode), ...lines(RETIRED).flatMap((line) => line.split(" ").map(readRetired))]
    .sort((a, b) => a.code - b.code)
    .map((entry) => [entry.code, entry]),
);

export const XID_CODES: readonly XidCode[] = [...ALL.values()];

/** Null for a code that the catalogue does not have. */
export function xidCode(code: number): XidCode | null {
  return ALL.get(code) ?? null;
}

/** Its mistakes or its owner's, never the card's: none of these pages as hardware. */
export const APP_CODES: ReadonlySet<number> = new Set([13, 31, 43, 45, 94]);

const GH200_BESIDE_H100: ReadonlySet<number> = new Set([121, 159]);

/**
 * Whether NVIDIA lists the code for such a card. Its catalogue has no column for GH200: taken as H100, with the codes of the
 * link to the Grace CPU, which is an inference. Null: no column tells.
 */
export function listedFor(code: XidCode, model: string | null): { isListed: boolean; isInferred: boolean } | null {
  const name = (model ?? "").toUpperCase();
  if (/\bGH200\b/.test(name))
    return { isListed: code.gpus.includes("H100") || GH200_BESIDE_H100.has(code.code), isInferred: true };
  const column = (["GB200", "B100", "H100", "A100"] as const).find((gpu) => new RegExp(`\\b${gpu}\\b`).test(name));
  return column ? { isListed: code.gpus.includes(column), isInferred: false } : null;
}

function lines(text: string): string[] {
  return text.trim().split("\n");
}

function readCode(line: string): XidCode {
  const [code, mnemonic, meaning = "", gpus = "", immediate, investigatory, since, severity, owner, tenant] =
    line.split("|");
  return {
    code: Number(code),
    mnemonic: wholeName(mnemonic),
    meaning,
    gpus: (["A", "H", "B", "G"] as const).filter((letter) => gpus.includes(letter)).map((letter) => COLUMNS[letter]),
    immediate: orNull(immediate),
    investigatory: orNull(investigatory),
    xid154Since: orNull(since),
    // The table is ours; a test holds every row of it against these types.
    severity: severity as XidCode["severity"],
    owner: owner as XidOwner,
    tenant: orNull(tenant) as TenantAction | null,
    note: NOTES[Number(code)] ?? null,
    isRetired: meaning === UNUSED,
  };
}

function readRetired(entry: string): XidCode {
  const [code, mnemonic] = entry.split(":");
  return {
    code: Number(code),
    mnemonic: wholeName(mnemonic),
    meaning: UNUSED,
    gpus: [],
    immediate: "CONTACT_SUPPORT",
    investigatory: null,
    xid154Since: null,
    severity: "info",
    owner: "other",
    tenant: null,
    note: null,
    isRetired: true,
  };
}

function wholeName(mnemonic = ""): string {
  return mnemonic.replaceAll(/\bRC_/g, "ROBUST_CHANNEL_");
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === "-" ? null : text;
}
