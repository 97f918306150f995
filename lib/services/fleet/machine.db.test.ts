import { beforeEach, expect, test } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { agentVersion } from "@/lib/services/agent/files";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { prepareHouse } from "@/lib/services/house";
import { ingest } from "@/lib/services/telemetry/ingest";
import { emptyDatabase } from "@/lib/testing/empty";
import { instance, makeToken } from "@/lib/testing/senders";
import { rows } from "@/lib/testing/world";
import { readGpus } from "./instance";
import { readMachine } from "./machine";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const at = (ms: number) => new Date(NOON + ms);
const ctx = (ms = 0) => systemCtx("test", at(ms));
const iso = (ms: number) => new Date(NOON + ms).toISOString();
const GPU = (ms: number) =>
  `#gpu at=${iso(ms)}\nindex, uuid, utilization.gpu [%], memory.total [MiB]\n0, GPU-1, 50 %, 97871 MiB\n`;

beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(at(0));
  await prepareHouse(ctx());
});

async function machine() {
  const applied = await recordListing(ctx(-MINUTE), await lambdaConnection(at(-MINUTE)), [instance("gh-1")], 100);
  const instanceId = applied?.ids.get("gh-1") ?? "";
  const { token } = await makeToken("enrolment", NOON, { resourceId: instanceId });
  const send = (ms: number, head: string, body: string) =>
    ingest(token, `#agent ${head} host=gh-1 interval=10 sent_at=${iso(ms)}\n${body}`, at(ms));
  return { instanceId, send };
}

test("without an agent nothing is known", async () => {
  const { instanceId } = await machine();
  expect(await readMachine(ctx(), { instanceId })).toEqual({ now: NOON, agent: null, clockSkewMs: null, facts: {} });
});

test("an agent of the first protocol is read as ever, and is known as older", async () => {
  const { instanceId, send } = await machine();
  await send(0, "protocol=1 version=1.0.0 machine=aarch64 kernel=6.8.0", GPU(0));
  const known = await readMachine(ctx(), { instanceId });
  expect(known).toMatchObject({
    agent: { version: "1.0.0", isOlder: true, kernel: "6.8.0", architecture: "aarch64" },
    facts: {},
  });
  expect(known.agent?.updateLine).toMatch(/^curl -fsSL 'http[^']*\/agent\/install\.sh' \| sudo sh -s -- --update$/);
});

test("of each probe the newest answer is kept, with its time; users and Xid lines arrive with it", async () => {
  const { instanceId, send } = await machine();
  const version = `protocol=2 version=${await agentVersion()}`;
  const apps = `#apps at=${iso(0)}\ngpu_uuid, pid, process_name, used_gpu_memory [MiB], user\nGPU-1, 7, python, 463 MiB, ubuntu\n`;
  const xid = `#kernel at=${iso(0)} from=journalctl\n${iso(-5_000).replace("Z", "+00:00")} gh-1 kernel: NVRM: Xid (PCI:0000:dd:00): 31, pid=7, x\n`;
  const told = `#clock at=${iso(0)}\nfrom=chronyc\nahead=0.5ms\n#versions at=${iso(0)}\ndriver=570.1\ntorch.missing=python3 is not installed\n`;
  expect(await send(0, version, GPU(0) + apps + xid + told)).toMatchObject({ accepted: 1, problems: [] });
  await send(MINUTE, version, `${GPU(MINUTE)}#clock at=${iso(MINUTE)}\nmissing=no service answers\n`);
  expect(await readMachine(ctx(MINUTE), { instanceId })).toMatchObject({
    agent: { isOlder: false },
    clockSkewMs: 0,
    facts: {
      driverVersion: { at: NOON, found: "570.1" },
      torchVersion: { at: NOON, missing: "python3 is not installed" },
      clockOffsetMs: { at: NOON + MINUTE, missing: "no service answers" },
      kernelLog: { at: NOON, found: "journalctl" },
      processList: { at: NOON, found: true },
    },
  });
  expect((await readGpus(instanceId))[0]?.processes).toEqual([
    { pid: 7, name: "python", usedMib: 463, user: "ubuntu" },
  ]);
  expect(await rows("select kind::text, code from event")).toEqual([{ kind: "xid", code: 31 }]);
});

test("a report of a later protocol is refused whole, and says so", async () => {
  const { instanceId, send } = await machine();
  await expect(send(0, "protocol=3 version=9.0.0", GPU(0))).rejects.toMatchObject({
    code: "invalid",
    message: expect.stringContaining("Protocol 3; 1 to 2 are read here"),
  });
  expect((await readMachine(ctx(), { instanceId })).agent).toBeNull();
  expect(await rows("select 1 from gpu_sample")).toEqual([]);
});
