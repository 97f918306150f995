import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CSV_PRINT, KERNEL_PRINT, TABLE_PRINT } from "@/lib/testing/prints";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hopperdeck-parse-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As a person runs it, from a folder of theirs and with a database that nobody answers for. */
function hopperdeck(args: string[], input?: string | Buffer) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "hopperdeck.cjs"), "parse", ...args],
    {
      cwd: folder,
      input,
      encoding: "utf8",
      maxBuffer: 64 * 1_048_576,
      env: { ...process.env, HOPPERDECK_CWD: folder, DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" },
    },
  );
  return { status, stdout, stderr };
}

test("a file, named from where the command was typed", () => {
  writeFileSync(join(folder, "table.txt"), TABLE_PRINT);
  const { status, stdout, stderr } = hopperdeck(["table.txt"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({
    format: "nvidia-smi",
    gpus: [{ name: "NVIDIA GH200 480GB", memoryTotalMib: 97_871, values: { powerW: { value: 512, unit: "W" } } }, {}],
    processes: [{ gpus: [{ processes: [{ pid: 4242 }] }, {}] }],
    problems: [],
  });
});

test("the standard input", () => {
  const { status, stdout } = hopperdeck(["-"], KERNEL_PRINT);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ format: "kernel log", gpus: [], events: [{ xid: 79 }, { xid: 94 }] });
});

test("what PowerShell redirects", () => {
  const { status, stdout } = hopperdeck(["-"], Buffer.from(`\ufeff${CSV_PRINT}`, "utf16le"));
  expect(status).toBe(0);
  expect(JSON.parse(stdout).gpus).toHaveLength(2);
});

test("an answer larger than a pipe arrives whole", () => {
  const [header = "", row = ""] = CSV_PRINT.split("\n");
  const rows = Array.from({ length: 600 }, (_, i) =>
    row.replace("10:00:00.000", `10:00:00.${String(i).padStart(3, "0")}`),
  );
  const { status, stdout } = hopperdeck(["-"], [header, ...rows].join("\n"));
  expect(status).toBe(0);
  expect(JSON.parse(stdout).gpus[0].earlier).toHaveLength(599);
});

test("nothing understood is a failure that says why", () => {
  const { status, stdout, stderr } = hopperdeck(["-"], "Lorem ipsum\n");
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Nothing in the input was understood: "Lorem ipsum" is not recognised\. Read here are .*\.\n$/,
  );
  expect(JSON.parse(stdout)).toMatchObject({ format: "unknown", gpus: [], problems: [{ kind: "unknown_format" }] });
});

test("more than 16 MiB is not read", () => {
  const { status, stdout, stderr } = hopperdeck(["-"], "x".repeat(16_777_217));
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain("larger than 16 MiB");
});

test.each([[[]], [["a", "b"]], [["absent.txt"]], [["."]]])("the words %j are not understood", (args) => {
  const { status, stdout, stderr } = hopperdeck(args, "");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain("hopperdeck parse FILE|-");
});

test("starts without a database's code, in under two seconds", () => {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && fastest > 2000; i++) {
    const began = performance.now();
    expect(hopperdeck(["-"], TABLE_PRINT).status).toBe(0);
    fastest = Math.min(fastest, performance.now() - began);
  }
  expect(fastest).toBeLessThan(2000);
});
