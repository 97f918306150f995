import { WORKLOADS } from "@/lib/domain/fleet/workloads";
import { formatCount } from "@/lib/domain/format";
import { BATCH_MOST } from "./names";
import type { LaunchOffers, Offer } from "./offers";
import { readSpan, spanWords } from "./span";
import type { LaunchTemplate } from "./templates";

/** One word of the line and what it was taken for; `meaning` null: it was not understood. */
export type ReadWord = { text: string; meaning: string | null; problem: string | null };

export type LaunchLine = {
  /** What the line says of the launch; what it does not say is absent. */
  fields: Partial<LaunchTemplate>;
  words: ReadWord[];
  isUnderstood: boolean;
};

type Known = Pick<LaunchOffers, "offers" | "regions" | "sshKeys" | "filesystems" | "images">;
type Taken = { fields: Partial<LaunchTemplate>; meaning: string } | { problem: string };

/**
 * Reads `launch 2 gh200 us-east-3 name:train-{n} team:nlp lease:8h`: words in any order; how many, a type or its GPU, a region,
 * and the rest by name. Nothing is guessed silently: each word comes back with what it was taken for.
 */
export function parseLaunchLine(text: string, known: Known): LaunchLine {
  const words: ReadWord[] = [];
  let fields: Partial<LaunchTemplate> = {};
  for (const word of split(text.replace(/^\s*launch\b/i, ""))) {
    const taken = readWord(word, fields, known);
    if ("problem" in taken) {
      words.push({ text: word, meaning: null, problem: taken.problem });
      continue;
    }
    const twice = Object.keys(taken.fields).find((key) => key in fields);
    if (twice !== undefined) {
      words.push({ text: word, meaning: null, problem: "is said twice" });
      continue;
    }
    fields = { ...fields, ...taken.fields };
    words.push({ text: word, meaning: taken.meaning, problem: null });
  }
  return { fields, words, isUnderstood: words.length > 0 && words.every(({ problem }) => problem === null) };
}

/** Words at spaces; quotes hold several together: `purpose:"nightly eval"`. */
function split(text: string): string[] {
  return [...text.matchAll(/(?:[^\s"]+|"[^"]*"?)+/g)].map(([word]) => word.replaceAll('"', "")).filter(Boolean);
}

const COUNT = /^(\d{1,3})x?$/i;

function readWord(word: string, fields: Partial<LaunchTemplate>, known: Known): Taken {
  const colon = word.indexOf(":");
  if (colon > 0) return readNamed(word.slice(0, colon).toLowerCase(), word.slice(colon + 1), known);
  const count = COUNT.exec(word)?.[1];
  if (count !== undefined) return readCount(Number(count));
  const [, many, rest] = /^(\d{1,2})x(.+)$/i.exec(word) ?? [];
  const type = readType(word, known.offers) ?? (many && rest ? readType(`${many}x_${rest}`, known.offers) : null);
  if (type && "problem" in type) return type;
  if (type) return { fields: { typeName: type.typeName }, meaning: type.typeName };
  const region = known.regions.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (region) return { fields: { region: region.name }, meaning: `in ${region.name}` };
  return {
    problem: fields.typeName === undefined ? "is no type, GPU or region" : "is no region and has no name such as team:",
  };
}

function readCount(count: number): Taken {
  if (count < 1 || count > BATCH_MOST) return { problem: `is not from 1 to ${BATCH_MOST}` };
  return { fields: { count }, meaning: formatCount(count, "machine") };
}

/** A type by its name, or by its GPU: the one with one GPU, unless more are said (`8x_h100`). */
function readType(word: string, offers: readonly Offer[]): Offer | { problem: string } | null {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, "");
  const exact = offers.find(({ typeName }) => typeName.toLowerCase() === word.toLowerCase());
  if (exact) return exact;
  const [, gpus = "1", model = ""] = /^(?:(\d{1,2})x_?)?(.*)$/.exec(word.toLowerCase()) ?? [];
  if (!/[a-z]/.test(model)) return null;
  const fitting = offers.filter(
    (offer) =>
      offer.gpus === Number(gpus) &&
      (plain(offer.gpuModel ?? "") === plain(model) ||
        plain(offer.typeName).startsWith(plain(`gpu_${gpus}x_${model}`))),
  );
  const [only, ...others] = fitting;
  if (only && others.length > 0) return { problem: `may be ${fitting.map(({ typeName }) => typeName).join(" or ")}` };
  return only ?? null;
}

const WORDS = {
  team: "team",
  project: "project",
  owner: "owner",
  purpose: "purpose",
  env: "environment",
  environment: "environment",
  cost: "costCenter",
  "cost-centre": "costCenter",
  "cost-center": "costCenter",
} as const;

function readNamed(name: string, value: string, known: Known): Taken {
  if (value === "") return { problem: "says nothing after its colon" };
  const field = Object.hasOwn(WORDS, name) ? WORDS[name as keyof typeof WORDS] : null;
  if (field !== null) {
    if (value.length > 64) return { problem: "is longer than 64 characters" };
    return { fields: { [field]: value }, meaning: `${field === "costCenter" ? "cost centre" : field} ${value}` };
  }
  const among = <K extends "sshKeyName" | "region" | "fileSystemName" | "imageFamily">(
    key: K,
    names: readonly string[],
    what: string,
  ): Taken => {
    const found = names.find((one) => one.toLowerCase() === value.toLowerCase());
    return found === undefined
      ? { problem: `is no ${what}` }
      : { fields: { [key]: found }, meaning: `${what} ${found}` };
  };
  switch (name) {
    case "name":
      return value.length > 60
        ? { problem: "is longer than 60 characters" }
        : { fields: { name: value }, meaning: `named ${value}` };
    case "count":
    case "n":
      return COUNT.test(value) ? readCount(Number(value)) : { problem: "is no number" };
    case "type": {
      const type = readType(value, known.offers);
      if (type === null) return { problem: "is no type or GPU" };
      return "problem" in type ? type : { fields: { typeName: type.typeName }, meaning: type.typeName };
    }
    case "region":
      return among(
        "region",
        known.regions.map((one) => one.name),
        "region",
      );
    case "key":
    case "ssh":
      return among("sshKeyName", known.sshKeys, "SSH key");
    case "fs":
    case "filesystem":
      return among(
        "fileSystemName",
        known.filesystems.map((one) => one.name),
        "file system",
      );
    case "image":
      return among("imageFamily", [...new Set(known.images.map((one) => one.family))], "image");
    case "workload": {
      const workload = WORKLOADS.find((one) => one === value.toLowerCase());
      return workload === undefined
        ? { problem: `is none of ${WORKLOADS.join(", ")}` }
        : { fields: { workload }, meaning: `workload ${workload}` };
    }
    case "lease": {
      const leaseMs = readSpan(value);
      return leaseMs === null
        ? { problem: "is no time such as 8h, 3d or 90m" }
        : { fields: { leaseMs }, meaning: `lease of ${spanWords(leaseMs)}` };
    }
    default:
      return { problem: "is no name that a launch knows" };
  }
}
