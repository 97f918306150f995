import {
  currentDeclaration,
  findDeclaration,
  insertDeclaration,
  listDeclarations,
} from "@/lib/db/alignment/declarations";
import { findConnection } from "@/lib/db/fleet/connection";
import { mutate } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import { totalsOf } from "@/lib/domain/alignment/compare";
import { diffLines } from "@/lib/domain/alignment/diff";
import { checksOf, documentChecks } from "@/lib/domain/alignment/engine";
import { declarableGroups } from "@/lib/domain/alignment/now";
import type {
  DeclarationAnswer,
  DeclarationDraft,
  DeclarationPreview,
  NewDeclaration,
  RestoreDeclaration,
  StoredDeclaration,
  VersionQuestion,
} from "@/lib/domain/alignment/view";
import { exactText } from "@/lib/domain/cost/decimal";
import { AppError } from "@/lib/errors";
import { judgeDeclared } from "./check";
import { observe } from "./observe";
import { readDeclaration, writeDeclaration } from "./yaml";

const MOST_VERSIONS = 200;
const MOST_FINDINGS = 60;

/** The document and its history; of an older version, its text. */
export async function readDeclarations(ctx: Ctx, { version }: VersionQuestion): Promise<DeclarationAnswer> {
  authorize(ctx, "fleet:read");
  const versions = await listDeclarations(MOST_VERSIONS);
  const shown = version === undefined ? (versions[0] ?? null) : await findDeclaration(version);
  if (version !== undefined && !shown)
    throw new AppError("not-found", `There is no version ${version} of the declaration.`);
  return {
    now: ctx.now.getTime(),
    version: shown?.version ?? null,
    at: shown?.at ?? null,
    by: shown?.by ?? null,
    yaml: shown?.yaml ?? "",
    versions: versions.map((one, i) => ({
      version: one.version,
      at: one.at,
      by: one.by,
      note: one.note,
      groups: one.parsed.groups.length,
      isCurrent: i === 0,
    })),
  };
}

/** What runs now, written as a declaration: a beginning, never the truth about what was meant. */
export async function draftOfNow(ctx: Ctx): Promise<{ now: number; yaml: string }> {
  authorize(ctx, "fleet:read");
  const observed = await observe(ctx.now, await lastPoll(ctx));
  const groups = declarableGroups(observed);
  if (groups.length === 0)
    throw new AppError("conflict", "No instance runs, so there is nothing to declare from. Write the plan yourself.");
  const day = ctx.now.toISOString().slice(0, 10);
  const written = groups.map(({ priceMicros, ...group }) => ({
    ...group,
    ...(priceMicros !== null && { pricePerHour: exactText({ numerator: priceMicros, denominator: 1_000_000n }) }),
  }));
  return {
    now: ctx.now.getTime(),
    yaml: writeDeclaration(
      "The fleet",
      720,
      written,
      `What ran on ${day}. Add memory pools, tags, software policies and owners; say what was meant, not what there is.`,
    ),
  };
}

/** What a text would declare, without declaring it: what is wrong with it, what changes, and what would be found at once. */
export async function previewDeclaration(ctx: Ctx, { yaml }: DeclarationDraft): Promise<DeclarationPreview> {
  authorize(ctx, "alignment:write");
  const current = await currentDeclaration();
  const read = readDeclaration(yaml);
  const diff = diffLines(current?.yaml ?? "", yaml);
  const now = ctx.now.getTime();
  if (read.declaration === null) return { now, problems: read.problems, diff, findings: [], totals: null };
  const { declaration } = read;
  const observed = await observe(ctx.now, await lastPoll(ctx));
  const found = checksOf({ declaration, version: 0, at: now }, observed).filter(({ state }) => state === "differs");
  const totals = totalsOf(declaration, observed);
  return {
    now,
    problems: [],
    diff,
    findings: found.slice(0, MOST_FINDINGS).map(({ fact, severity, machine, group, why }) => ({
      fact,
      severity,
      target: machine ?? group ?? "The fleet",
      why,
    })),
    totals: {
      declaredMachines: totals.declaredMachines,
      declaredMicros: totals.declaredMicros.toString(),
      observedMicros: totals.observedMicros.toString(),
    },
  };
}

/** Makes a text the declaration. Throws `conflict` where another version came meanwhile. */
export async function saveDeclaration(ctx: Ctx, { yaml, note, base }: NewDeclaration): Promise<{ version: number }> {
  authorize(ctx, "alignment:write");
  const read = readDeclaration(yaml);
  if (read.declaration === null) {
    const [first] = read.problems;
    const where = first?.line ? `line ${first.line}: ` : "";
    throw new AppError("invalid", `Nothing was saved: ${where}${first?.path ?? ""} ${first?.message ?? ""}`.trim(), {
      yaml: first ? `${where}${first.path} ${first.message}`.trim() : "cannot be read",
    });
  }
  const before = await currentDeclaration();
  if (before && before.yaml === yaml)
    throw new AppError("conflict", "This is what is declared already; nothing was saved.");
  const { declaration } = read;
  const contradictions = declaration.groups.flatMap((group) => documentChecks(group, ctx.now.getTime()));
  const observed = await observe(ctx.now, await lastPoll(ctx));
  return mutate(ctx, "alignment:write", async (tx) => {
    const createdById = ctx.actor.kind === "user" ? ctx.actor.id : null;
    const isWritten = await insertDeclaration(tx, { base, yaml, parsed: declaration, note, createdById }, ctx.now);
    if (!isWritten)
      throw new AppError(
        "conflict",
        "Somebody has declared another version meanwhile. Your text is still here: load theirs, and put yours in again.",
      );
    await judgeDeclared(tx, ctx, { declaration, version: base + 1 }, observed);
    return {
      action: "declaration.saved",
      subjectKind: "declaration",
      subjectId: String(base + 1),
      subject: `${declaration.fleet}, version ${base + 1}`,
      before: before && summaryOf(before),
      after: {
        groups: declaration.groups.map(({ name, count }) => `${name}: ${count}`),
        contradictions: contradictions.filter(({ state }) => state === "differs").length,
      },
      reason: note || null,
      result: { version: base + 1 },
    };
  });
}

/** An older version, declared anew: history is not rewritten. */
export async function restoreDeclaration(
  ctx: Ctx,
  { version, base }: RestoreDeclaration,
): Promise<{ version: number }> {
  authorize(ctx, "alignment:write");
  const old = await findDeclaration(version);
  if (!old) throw new AppError("not-found", `There is no version ${version} of the declaration. Nothing was changed.`);
  return saveDeclaration(ctx, { yaml: old.yaml, note: `Version ${version} again`, base });
}

function summaryOf({ parsed }: StoredDeclaration) {
  return { groups: parsed.groups.map(({ name, count }) => `${name}: ${count}`) };
}

export async function lastPoll(ctx: Ctx): Promise<number> {
  const connection = await findConnection();
  return connection?.lastOkAt?.getTime() ?? ctx.now.getTime();
}
