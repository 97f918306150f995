import { z } from "zod";

const UUID = "0190c0de-0000-7000-8000-00000000dead";
const INSTANT = "2026-11-20T12:00:00Z";

/** What a field may turn out to want, in the order in which it is tried. */
const TRIES: readonly unknown[] = [
  undefined,
  "x",
  UUID,
  1,
  "1",
  INSTANT,
  "2026-10",
  "2026-11-20",
  Date.parse(INSTANT),
  true,
  [],
  [UUID],
  ["x"],
  {},
  null,
  "a sentence that is long enough",
  "0.5",
  "UTC",
  "https://example.com/x",
  "somebody@example.com",
  "09:00",
  100,
  "x".repeat(30),
  [{}],
  "0".repeat(64),
  "0".repeat(32),
  'team="ml"',
  "2026-Q4",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJvYmJvYmJvYmJvYmJvYmJvYmJvYmJvYmJvYmJvYmJv ada",
];

type Json = Record<string, unknown>;

/**
 * Something that a schema takes: made from its description, then mended field by field by what the schema says is wrong.
 * `given` stands as it is. Throws where it finds none; then the input has to be given by hand.
 */
export function sampleOf(schema: z.ZodType, given: Json = {}): Json {
  const described = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
  const made = madeOf(described, described);
  const sample: Json = { ...(made && typeof made === "object" && !Array.isArray(made) ? made : {}), ...given };
  const tried = new Map<string, number>();
  for (let round = 0; round < 300; round += 1) {
    const result = schema.safeParse(structuredClone(sample));
    if (result.success) return sample;
    const open = result.error.issues
      .flatMap((issue) =>
        issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
      )
      .find(
        (path) => path.length > 0 && !(String(path[0]) in given) && (tried.get(path.join(".")) ?? 0) < TRIES.length,
      );
    if (!open) break;
    const key = open.join(".");
    const next = tried.get(key) ?? 0;
    tried.set(key, next + 1);
    put(sample, open, TRIES[next]);
  }
  const wrong = schema.safeParse(sample).error?.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
  throw new Error(`No sample was found; give the input by hand: ${wrong?.join("; ")}`);
}

function madeOf(part: Json, root: Json): unknown {
  if (typeof part.$ref === "string") {
    const name = part.$ref.split("/").at(-1) ?? "";
    return madeOf(((root.$defs as Record<string, Json> | undefined)?.[name] ?? {}) as Json, root);
  }
  if ("const" in part) return part.const;
  if (Array.isArray(part.enum)) return part.enum[0];
  const options = (part.anyOf ?? part.oneOf) as Json[] | undefined;
  if (options) return madeOf(options.find((one) => one.type !== "null") ?? {}, root);
  if (Array.isArray(part.allOf)) return Object.assign({}, ...part.allOf.map((one) => madeOf(one as Json, root)));
  switch (part.type) {
    case "object": {
      const properties = Object.entries((part.properties ?? {}) as Record<string, Json>);
      const required = new Set((part.required ?? []) as string[]);
      return Object.fromEntries(
        properties.flatMap(([name, inner]) => (required.has(name) ? [[name, madeOf(inner, root)]] : [])),
      );
    }
    case "array":
      return Number(part.minItems ?? 0) > 0 ? [madeOf((part.items ?? {}) as Json, root)] : [];
    case "integer":
    case "number":
      return Number(part.minimum ?? (part.exclusiveMinimum === undefined ? 1 : Number(part.exclusiveMinimum) + 1));
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return part.format === "uuid" ? UUID : "x".repeat(Math.max(1, Number(part.minLength ?? 1)));
  }
}

function put(target: Json, path: PropertyKey[], value: unknown): void {
  const [first, ...rest] = path;
  if (first === undefined) return;
  const key = String(first);
  if (rest.length === 0) {
    if (value === undefined) delete target[key];
    else target[key] = value;
    return;
  }
  const inner = target[key];
  if (!inner || typeof inner !== "object") target[key] = typeof rest[0] === "number" ? [] : {};
  put(target[key] as Json, rest, value);
}
