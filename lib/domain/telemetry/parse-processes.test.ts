import { expect, test } from "vitest";
import { MAX_PROCESSES, parseComputeApps } from "./parse-processes";

const HEADER = "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n";

test.each([
  ["a plain process", "GPU-a, 12, python, 463 MiB", { pid: 12, name: "python", usedMib: 463, user: null }],
  ["without units", "GPU-a, 12, python, 463", { pid: 12, name: "python", usedMib: 463, user: null }],
  [
    "memory that Windows does not tell",
    "GPU-a, 12, C:\\a b\\c.exe, [N/A]",
    { pid: 12, name: "C:\\a b\\c.exe", usedMib: null, user: null },
  ],
  [
    "commas in the name",
    "GPU-a, 12, python -c a,b, c, 5 MiB",
    { pid: 12, name: "python -c a, b, c", usedMib: 5, user: null },
  ],
  ["quotes in the name", 'GPU-a, 12, sh -c "x, 5 MiB', { pid: 12, name: 'sh -c "x', usedMib: 5, user: null }],
  ["a process that has just ended", "GPU-a, 12, [Not Found], 5 MiB", { pid: 12, name: null, usedMib: 5, user: null }],
])("%s", (_, line, process) => {
  const { byUuid, isAnswered, problems } = parseComputeApps(`${HEADER}${line}\r\n`);
  expect({ isAnswered, problems }).toEqual({ isAnswered: true, problems: [] });
  expect([...byUuid]).toEqual([["GPU-a", [process]]]);
});

test("columns by name, whatever stands around them", () => {
  const text =
    "timestamp, used_memory, name, extra, pid, gpu_uuid\n2026/06/24 10:26:49.980, 7 MiB, a, b, c, 9, GPU-x\n";
  expect([...parseComputeApps(text).byUuid]).toEqual([["GPU-x", [{ pid: 9, name: "a, b", usedMib: 7, user: null }]]]);
});

test("a header alone says that no process runs; a message says nothing", () => {
  expect(parseComputeApps(HEADER)).toMatchObject({ isAnswered: true, problems: [] });
  expect(parseComputeApps("No devices were found\n")).toMatchObject({
    isAnswered: false,
    problems: [{ kind: "nvidia_smi", message: "No devices were found" }],
  });
  expect(parseComputeApps("")).toMatchObject({ isAnswered: false });
  expect(parseComputeApps("GPU-a, 12, python, 463 MiB\n").problems.map((problem) => problem.kind)).toEqual([
    "no_header",
  ]);
});

test("lines that are no process are named, and the others count", () => {
  const { byUuid, problems } = parseComputeApps(`${HEADER}GPU-a, x, python, 5 MiB\nGPU-a, 3\nGPU-a, 4, b, 5 MiB\n`);
  expect(problems.map(({ kind, line }) => [kind, line])).toEqual([
    ["malformed", 2],
    ["malformed", 3],
  ]);
  expect(byUuid.get("GPU-a")).toHaveLength(1);
});

test("a GPU keeps a bounded number of processes, with bounded names", () => {
  const lines = Array.from({ length: 500 }, (_, i) => `GPU-a, ${i + 1}, ${"n".repeat(900)}, 1 MiB\n`).join("");
  const list = parseComputeApps(HEADER + lines).byUuid.get("GPU-a") ?? [];
  expect(list).toHaveLength(MAX_PROCESSES);
  expect(list[0]?.name).toHaveLength(200);
  expect(parseComputeApps("x".repeat(2_000_000)).problems.map((problem) => problem.kind)).toEqual(["too_large"]);
});
