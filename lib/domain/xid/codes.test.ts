import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { APP_CODES, listedFor, XID_CODES, type XidOwner, xidCode } from "./codes";
import { OWNER_WORDS, TENANT_STEPS } from "./words";

test("172 codes, each once, every word of our own columns known", () => {
  expect(XID_CODES).toHaveLength(172);
  expect(XID_CODES.map(({ code }) => code)).toEqual(Array.from({ length: 172 }, (_, i) => i + 1));
  for (const { code, severity, owner, tenant, isRetired, meaning, mnemonic } of XID_CODES) {
    expect(["info", "warning", "critical", ...(code === 154 ? ["follow_text"] : [])], `${code}`).toContain(severity);
    expect(Object.keys(OWNER_WORDS), `${code}`).toContain(owner);
    if (!isRetired) expect(Object.keys(TENANT_STEPS), `${code}`).toContain(tenant);
    expect(tenant === null, `${code}`).toBe(isRetired);
    expect(meaning).not.toBe("");
    expect(mnemonic).toMatch(/^[A-Z0-9_]+/);
  }
  expect(xidCode(173)).toBeNull();
});

test("no code of the application is critical", () => {
  for (const code of APP_CODES) expect(xidCode(code)?.severity).not.toBe("critical");
});

test.each([
  ["NVIDIA GH200 480GB", 79, { isListed: true, isInferred: true }],
  ["NVIDIA GH200 480GB", 121, { isListed: true, isInferred: true }],
  ["NVIDIA GH200 480GB", 159, { isListed: true, isInferred: true }],
  ["NVIDIA GH200 480GB", 144, { isListed: false, isInferred: true }],
  ["NVIDIA H100 80GB HBM3", 121, { isListed: false, isInferred: false }],
  ["NVIDIA A100-SXM4-40GB", 74, { isListed: true, isInferred: false }],
  ["NVIDIA GB200", 121, { isListed: true, isInferred: false }],
  ["NVIDIA A10", 79, null],
  [null, 79, null],
])("whether %s lists %s", (model, code, expected) => {
  const entry = xidCode(code);
  if (!entry) throw new Error("a code of the catalogue expected");
  expect(listedFor(entry, model)).toEqual(expected);
});

const path = join(process.env.SHARED_DIR ?? "../shared", "reference", "xid.json");
const skipped = existsSync(path) ? "" : ` (skipped: ${path} is absent)`;

const Row = z.object({
  code: z.number(),
  mnemonic: z.string(),
  meaning: z.string(),
  appliesTo: z.record(z.string(), z.boolean()),
  immediateAction: z.string().nullable(),
  investigatoryAction: z.string().nullable(),
  xid154Linkage: z.string().nullable(),
  uiSeverity: z.string(),
  owner: z.string(),
  lambdaAction: z.string(),
  note: z.string().nullable(),
});

const OWNERS: Record<string, XidOwner> = {
  workload: "workload",
  "memory/HW": "memory",
  NVLink: "nvlink",
  "GPU firmware/driver": "firmware",
  "PCIe/platform": "platform",
  "C2C (Grace link)": "c2c",
  other: "other",
};
const RESET = "drain, GPU reset in guest or Restart instance; recurrence => ticket + replace";
const ACTIONS: Record<string, string | null> = {
  "-": null,
  "tell workload owner; no instance action": "tell_owner",
  "monitor; ticket if repeated": "monitor",
  [RESET]: "reset",
  "drain; decode; ticket": "drain_ticket",
  "monitor; plan reset in next maintenance window": "plan_reset",
  "follow Xid 48": "follow_48",
  "none alone; follow companion Xid": "follow_other",
  "ticket (provider hardware)": "ticket",
  "Restart instance (API); if it recurs: terminate+relaunch and open Lambda ticket": "restart_instance",
  "restart the app; reset the GPU in next window; watch for 48/64/95": "restart_app",
  "do what the text says": "follow_text",
};

describe.skipIf(skipped !== "")(`NVIDIA's catalogue as transcribed${skipped}`, () => {
  const rows = skipped === "" ? z.array(Row).parse(JSON.parse(readFileSync(path, "utf8"))) : [];

  test("every fact of every code is the same", () => {
    const said = rows.map((row) => ({
      code: row.code,
      mnemonic: row.mnemonic,
      meaning: row.meaning,
      gpus: Object.keys(row.appliesTo).filter((gpu) => row.appliesTo[gpu]),
      immediate: row.immediateAction,
      investigatory: row.investigatoryAction,
      xid154Since: row.xid154Linkage,
    }));
    const ours = XID_CODES.map(({ code, mnemonic, meaning, gpus, immediate, investigatory, xid154Since }) => ({
      code,
      mnemonic,
      meaning,
      gpus,
      immediate,
      investigatory,
      xid154Since,
    }));
    expect(ours).toEqual(said);
  });

  test("our judgement is the reviewed one; a critical code without a way out has a ticket", () => {
    for (const row of rows) {
      const ours = xidCode(row.code);
      expect(ours?.severity.replace("_", " "), `${row.code}`).toBe(row.uiSeverity);
      expect(ours?.owner, `${row.code}`).toBe(OWNERS[row.owner]);
      const isTicket = row.code === 167 || row.code === 168;
      expect(ours?.tenant, `${row.code}`).toBe(isTicket ? "ticket" : ACTIONS[row.lambdaAction]);
      expect(ours?.note === null, `note of ${row.code}`).toBe(row.note === null);
    }
  });
});
