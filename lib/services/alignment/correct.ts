import { isMap, isNode, parseDocument } from "yaml";
import { currentDeclaration } from "@/lib/db/alignment/declarations";
import { authorize, type Ctx } from "@/lib/domain/access";
import { declarableGroups } from "@/lib/domain/alignment/now";
import { membersOf } from "@/lib/domain/alignment/observed";
import type { CorrectionQuestion } from "@/lib/domain/alignment/view";
import { exactText } from "@/lib/domain/cost/decimal";
import { AppError } from "@/lib/errors";
import { lastPoll } from "./declare";
import { observe } from "./observe";

/**
 * The declaration with one group as its machines are, for a person to read over: model, memory, price, regions. How many there
 * should be, and what the pools are for, only people know. Comments and order stay.
 */
export async function draftCorrection(
  ctx: Ctx,
  { group: name }: CorrectionQuestion,
): Promise<{ now: number; yaml: string }> {
  authorize(ctx, "fleet:read");
  const stored = await currentDeclaration();
  const index = stored?.parsed.groups.findIndex((group) => group.name === name) ?? -1;
  const group = stored?.parsed.groups[index];
  if (!stored || !group) throw new AppError("not-found", `The declaration has no group “${name}”.`);
  const observed = await observe(ctx.now, await lastPoll(ctx));
  const machines = membersOf(stored.parsed, observed.machines).members.get(name) ?? [];
  const [found, other] = declarableGroups({ ...observed, machines });
  if (!found) throw new AppError("conflict", `Nothing of ${name} runs, so there is nothing to correct it by.`);
  const wanted = new Map<string, string>();
  if (!other && group.instanceType !== found.instanceType) wanted.set("instanceType", found.instanceType);
  if (group.gpu !== found.gpu) wanted.set("gpu", found.gpu);
  if (group.memoryGb !== found.memoryGb) wanted.set("memoryGb", String(found.memoryGb));
  if (group.gpusPerInstance !== found.gpusPerInstance) wanted.set("gpusPerInstance", String(found.gpusPerInstance));
  if (
    group.pricePerHour !== undefined &&
    found.priceMicros !== null &&
    group.pricePerHour !== String(found.priceMicros)
  )
    wanted.set("pricePerHour", exactText({ numerator: found.priceMicros, denominator: 1_000_000n }));
  if (group.architecture !== undefined && found.architecture !== undefined && found.architecture !== group.architecture)
    wanted.set("architecture", found.architecture);
  const missing = found.regions.filter((region) => !group.regions.includes(region));
  if (group.regions.length > 0 && missing.length > 0)
    wanted.set("regions", `[${[...group.regions, ...missing].join(", ")}]`);
  return { now: ctx.now.getTime(), yaml: withValues(stored.yaml, index, wanted) };
}

/** Puts values in their places and leaves every other character as it was. A key that is not written yet comes first in its group. */
function withValues(text: string, index: number, wanted: ReadonlyMap<string, string>): string {
  const document = parseDocument(text, { schema: "failsafe" });
  const group = document.getIn(["groups", index], true);
  const first = isMap(group) ? offsetOf(group.items[0]?.key) : null;
  const edits = [...wanted].flatMap(([key, value]) => {
    const node = document.getIn(["groups", index, key], true);
    const range = isNode(node) ? node.range : null;
    // A list written line by line reaches to the beginning of the next line.
    if (range) return [{ from: range[0], to: range[1] - (text[range[1] - 1] === "\n" ? 1 : 0), text: value }];
    if (first === null) return [];
    const indent = " ".repeat(first - (text.lastIndexOf("\n", first - 1) + 1));
    return [{ from: first, to: first, text: `${key}: ${value}\n${indent}` }];
  });
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((written, { from, to, text: value }) => written.slice(0, from) + value + written.slice(to), text);
}

function offsetOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}
