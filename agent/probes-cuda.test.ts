import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { env } from "node:process";
import { describe, expect, test } from "vitest";
import { AGENT, minute, probeMachine } from "./test-machine";

const { machine, bare, beat, facts, due } = probeMachine();

describe("versions", () => {
  test("of the driver, CUDA and PyTorch, which is not imported for it", async () => {
    machine.file("sys/module/nvidia/version", "570.124.06\n");
    machine.tool("python3", 'case "$*" in *import\\ torch*) exit 3 ;; *importlib.metadata*) echo 2.6.0+cu126 ;; esac');
    await beat(minute(1));
    expect(facts()).toMatchObject({
      driverVersion: { found: "570.124.06" },
      cudaVersion: { found: "12.8" },
      torchVersion: { found: "2.6.0+cu126" },
    });
  });

  test("are asked again after an hour, and at once with another driver", async () => {
    machine.file("sys/module/nvidia/version", "570.1\n");
    await beat(minute(1));
    await beat(minute(2));
    expect(facts().driverVersion).toBeUndefined();
    machine.file("sys/module/nvidia/version", "580.1\n");
    await beat(minute(3));
    expect(facts().driverVersion).toMatchObject({ found: "580.1" });
  });

  test("a Python without PyTorch, and one that prints garbage", async () => {
    machine.tool("python3", "echo 'importlib.metadata.PackageNotFoundError: torch' >&2; exit 1");
    await beat(minute(1));
    expect(facts().torchVersion).toMatchObject({ missing: "no PyTorch where python3 of the system looks" });
    machine.tool("python3", "printf '#gpu at=x\\n\\001\\n'");
    due("versions");
    await beat(minute(2));
    expect(facts().torchVersion).toMatchObject({ found: "#gpu at=x" });
    expect(machine.requests.flatMap(({ report }) => report.problems)).toEqual([]);
  });
});

const CC = (() => {
  try {
    return execFileSync("sh", ["-c", "command -v cc && command -v python3"], { encoding: "utf8" }) !== "";
  } catch {
    return false;
  }
})();

describe("the CUDA probe", () => {
  const python = (script: string) => machine.tool("python3", `case "$*" in *libcuda*) ${script} ;; *) exit 1 ;; esac`);

  test("says what came of it", async () => {
    python("printf 'usable=yes\\ndevices=1\\ntook_ms=312\\n'");
    await beat(minute(1));
    expect(facts().cudaProbe).toMatchObject({
      found: { isUsable: true, devices: 1, tookMs: 312, message: null },
    });
  });

  test.each([
    [{ SMI_PIDS: "7\n8" }, "processes use the GPUs"],
    [{ SMI_FREE: "Default, 500" }, "less than 2048 MiB of a GPU are free"],
    [
      { SMI_FREE: "Exclusive_Process, 90000" },
      "the compute mode is Exclusive_Process: a context would shut out the next job",
    ],
    [{ SMI_MODE: "failing" }, "nvidia-smi cannot say whether the GPUs are free"],
  ])("never stands in the way: %j", async (env: Record<string, string>, why) => {
    python(`echo tried >>${machine.place("tried")}`);
    await beat(minute(1), env);
    expect(facts().cudaBusy).toMatchObject({ found: why });
    expect(facts().cudaProbe).toBeUndefined();
    expect(existsSync(machine.place("tried"))).toBe(false);
    // It is tried again in some minutes, not only in an hour.
    const [since = 0] = readFileSync(machine.place("spool/due-cuda"), "utf8").split(" ").map(Number);
    expect(Date.now() / 1000 - since).toBeGreaterThan(3000);
  });

  test("that dies is no answer about CUDA", async () => {
    python("echo 'Segmentation fault' >&2; exit 139");
    await beat(minute(1));
    expect(facts().cudaProbe).toMatchObject({ missing: "python3 ended with status 139: Segmentation fault" });
  });

  test("that hangs is killed, and says that libcuda does not answer", { timeout: 30_000 }, async () => {
    python("exec sleep 60");
    const script = readFileSync(AGENT, "utf8").replace("CUDA_LIMIT_S=10", "CUDA_LIMIT_S=1");
    writeFileSync(machine.place("agent"), script);
    await machine.start(["sh"], machine.place("agent"), [], {
      ...bare(),
      HOPPERDECK_ONCE: "1",
      HOPPERDECK_NOW: minute(1),
    }).done;
    expect(facts().cudaProbe).toMatchObject({
      found: { isUsable: false, devices: 0, tookMs: 1000, message: "libcuda did not answer within 1 s" },
    });
    expect(machine.sampleTimes()).toHaveLength(1);
  });

  test.skipIf(!CC)(
    `makes a context on each GPU through libcuda${CC ? "" : " (skipped: no C compiler or Python here)"}`,
    { timeout: 60_000 },
    async () => {
      const interpreter = execFileSync("sh", ["-c", "python3 -c 'import sys; print(sys.executable)'"], {
        encoding: "utf8",
      }).trim();
      const library = (fault: string) => {
        writeFileSync(
          machine.place("cuda.c"),
          `static int live; int cuInit(unsigned f){return 0;} int cuDeviceGetCount(int*n){*n=2;return 0;}
           int cuDeviceGet(int*d,int i){*d=i;return 0;} int cuGetErrorName(int c,const char**s){*s="CUDA_ERROR_ECC_UNCORRECTABLE";return 0;}
           int cuDevicePrimaryCtxRetain(void**c,int d){${fault} if(live)return 999; live=1;*c=&live;return 0;}
           int cuDevicePrimaryCtxRelease_v2(int d){live=0;return 0;}`,
        );
        execFileSync("cc", ["-shared", "-fPIC", "-o", machine.place("libcuda.so.1"), machine.place("cuda.c")]);
      };
      machine.tool("python3", `exec ${interpreter} "$@"`);
      const more = { LD_LIBRARY_PATH: machine.home, PATH: `${bare().PATH}:${env.PATH}` };
      library("");
      await beat(minute(1), more);
      expect(facts().cudaProbe).toMatchObject({ found: { isUsable: true, devices: 2, message: null } });
      library("if(d==1)return 214;");
      due("cuda");
      await beat(minute(2), more);
      const message = "a context on GPU 1: CUDA_ERROR_ECC_UNCORRECTABLE (214)";
      expect(facts().cudaProbe).toMatchObject({ found: { isUsable: false, devices: 1, message } });
      rmSync(machine.place("libcuda.so.1"));
      due("cuda");
      await beat(minute(3), more);
      expect(facts().cudaProbe).toMatchObject({ missing: "libcuda.so.1 is not installed" });
    },
  );
});
