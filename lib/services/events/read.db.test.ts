import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import { insertKernelEvents } from "@/lib/db/events";
import { EventsQuestion, NewNote } from "@/lib/domain/events/view";
import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { by, emptyHouse, MINUTE, machine, NOON, person, SECOND, system } from "@/lib/testing/alerting";
import { addNote } from "./note";
import { readEvents } from "./read";
import { recordSightings } from "./record";

beforeEach(emptyHouse);

const iso = (at: number) => new Date(at).toISOString().replace("Z", "+00:00").replace(".", ",");
const line = (at: number, code: number, text = "x", bus = "0000:19:00") =>
  `${iso(at)} NVRM: Xid (PCI:${bus}): ${code}, ${text}`;
const ask = (more: object = {}) => EventsQuestion.parse({ range: "24h", ...more });

async function told(resourceId: string | null, lines: string[], gpuIdOf: (busId: string | null) => number | null) {
  const source = { id: randomUUID(), resourceId };
  await recordSightings(source, parseKernelLog(lines.join("\n"), NOON), ({ busId }) => gpuIdOf(busId), new Date(NOON));
  return source;
}

describe("incidents of a window", () => {
  test("are whole, judged and named, newest first, in pages that do not overlap", async () => {
    const [a, b] = [await machine("gh-a"), await machine("gh-b")];
    await told(
      a.resourceId,
      [line(NOON - 3 * MINUTE, 48), line(NOON - 2 * MINUTE, 63), line(NOON - MINUTE, 94)],
      () => a.gpuId,
    );
    await told(b.resourceId, [line(NOON - 2 * MINUTE, 31), line(NOON - 60 * MINUTE, 43)], () => b.gpuId);
    const ctx = system(NOON);
    const answer = await readEvents(ctx, ask());
    expect(answer.incidents.map(({ instance, title, severity }) => [instance?.name, title, severity])).toEqual([
      ["gh-b", "Xid 31 (1 line)", "warning"],
      ["gh-a", "Xid 48, 63, 94 (3 lines)", "critical"],
      ["gh-b", "Xid 43 (1 line)", "info"],
    ]);
    expect(answer.incidents[1]).toMatchObject({
      action: "Drain and reset the GPU",
      owner: "GPU memory",
      mayPage: true,
      cards: [{ gpuId: a.gpuId, label: "GPU 0", busId: "0000:19:00", model: "NVIDIA GH200" }],
      lines: [{ code: 48, text: "NVRM: Xid (PCI:0000:19:00): 48, x" }, { code: 63 }, { code: 94 }],
    });
    expect(answer.codes["48"]).toMatchObject({
      immediate: expect.stringMatching(/drain/),
      listed: expect.stringMatching(/inference/),
    });
    expect(answer).toMatchObject({ next: null, cutAt: null, notes: [] });

    const titles: string[] = [];
    let after: string | undefined;
    do {
      const page = await readEvents(ctx, ask({ limit: 1, ...(after && { after }) }));
      titles.push(...page.incidents.map(({ title }) => title));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(titles).toEqual(answer.incidents.map(({ title }) => title));
  });

  test("of one GPU come with what happened beside it; of one machine, without other machines", async () => {
    const gh = await machine("gh-1");
    const other = await machine("gh-2");
    const { id: second } = await prisma.gpu.create({
      data: {
        uuid: "GPU-2",
        resourceId: gh.resourceId,
        position: 1,
        model: "NVIDIA GH200",
        firstSeenAt: new Date(NOON),
      },
    });
    await told(
      gh.resourceId,
      [line(NOON - MINUTE, 45), line(NOON - MINUTE, 79, "x", "0000:1a:00"), line(NOON - 40 * MINUTE, 13)],
      (busId) => (busId === "0000:19:00" ? gh.gpuId : second),
    );
    await told(other.resourceId, [line(NOON - MINUTE, 62)], () => other.gpuId);
    const found = await readEvents(system(NOON), ask({ gpuId: second }));
    expect(found.incidents.map(({ title }) => title)).toEqual(["Xid 45, 79 (2 lines)"]);
    const own = await readEvents(system(NOON), ask({ instanceId: gh.resourceId }));
    expect(own.incidents.map(({ title }) => title)).toEqual(["Xid 45, 79 (2 lines)", "Xid 13 (1 line)"]);
  });

  test("that began before the window are shown whole; those that ended before it are not", async () => {
    const gh = await machine("gh-1");
    const start = NOON - 60 * MINUTE;
    await told(
      gh.resourceId,
      [line(start - MINUTE, 48), line(start + MINUTE, 94), line(start - 10 * MINUTE, 79)],
      () => gh.gpuId,
    );
    const { incidents } = await readEvents(system(NOON), ask({ from: start, to: NOON }));
    expect(incidents.map(({ title }) => title)).toEqual(["Xid 48, 94 (2 lines)"]);
  });

  test("an Xid 31 that came from another process days before is a pattern", async () => {
    const gh = await machine("gh-1");
    const day = 24 * 60 * MINUTE;
    await told(
      gh.resourceId,
      [line(NOON - 3 * day, 31, "pid=1, name=a, MMU Fault"), line(NOON - MINUTE, 31, "pid=2, name=b, MMU Fault")],
      () => gh.gpuId,
    );
    const { incidents } = await readEvents(system(NOON), ask());
    expect(incidents).toMatchObject([{ action: "Suspect the hardware", severity: "warning", mayPage: false }]);
  });

  test("of a sender that nobody knows are shown with its place on the bus", async () => {
    await told(null, [line(NOON - MINUTE, 79)], () => null);
    const { incidents } = await readEvents(system(NOON), ask());
    expect(incidents).toMatchObject([{ instance: null, cards: [{ gpuId: null, label: "GPU at 0000:19:00" }] }]);
  });

  test("too many lines are cut at the oldest, and the answer says where", async () => {
    const gh = await machine("gh-1");
    const events = Array.from({ length: 5_010 }, (_, i) => ({
      at: NOON - i * SECOND,
      code: 94,
      gpuId: gh.gpuId,
      text: `Ch ${i}`,
      words: `Ch ${i}`,
      detail: { seenBy: "kernel" as const },
    }));
    await insertKernelEvents({ id: randomUUID(), resourceId: gh.resourceId }, events, new Date(NOON));
    const answer = await readEvents(system(NOON), ask());
    expect(answer.cutAt).toBe(NOON - 4_999 * SECOND);
    expect(answer.incidents).toMatchObject([{ title: "Xid 94 (5000 lines)", moreLines: 4_960 }]);
  });
});

describe("a note", () => {
  test("stands on the instance's axis with who wrote it, and in the trail", async () => {
    const gh = await machine("gh-1");
    const ada = by(await person("Ada", "on_call"), NOON);
    await addNote(ada, NewNote.parse({ instanceId: gh.resourceId, at: null, text: " batch size 24\n to 32\u202e " }));
    await addNote(ada, NewNote.parse({ instanceId: gh.resourceId, at: NOON - 5 * MINUTE, text: "driver updated" }));
    const { notes } = await readEvents(system(NOON), ask({ instanceId: gh.resourceId }));
    expect(notes).toMatchObject([
      { at: NOON, text: "batch size 24 to 32", by: "Ada" },
      { at: NOON - 5 * MINUTE, text: "driver updated", by: "Ada" },
    ]);
    expect(await prisma.auditEvent.findFirst({ orderBy: { seq: "desc" } })).toMatchObject({
      action: "note.added",
      subject: "gh-1",
      actor: "Ada",
    });
  });

  test("is refused ahead of time, of no instance, and from a viewer", async () => {
    const gh = await machine("gh-1");
    const ada = by(await person("Ada", "operator"), NOON);
    const note = { instanceId: gh.resourceId, at: null, text: "x" };
    await expect(addNote(ada, { ...note, at: NOON + 10 * MINUTE })).rejects.toMatchObject({ code: "invalid" });
    await expect(addNote(ada, { ...note, instanceId: randomUUID() })).rejects.toMatchObject({ code: "not-found" });
    await expect(addNote(by(await person("Bob", "viewer"), NOON), note)).rejects.toMatchObject({ code: "forbidden" });
    expect(await prisma.event.count()).toBe(0);
    expect(NewNote.safeParse({ ...note, text: " \u200b " }).success).toBe(false);
    expect(NewNote.safeParse({ ...note, text: "x".repeat(281) }).success).toBe(false);
  });
});
