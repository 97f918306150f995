import { redact } from "./redact";

export type Changes = Record<string, { from: unknown; to: unknown }>;

/** The fields that differ, so an audit entry says what changed and nothing else. Money becomes text. */
export function changes(before: object | null, after: object | null): Changes {
  const from = plain(before);
  const to = plain(after);
  const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
  const differing = [...keys].filter((key) => JSON.stringify(from[key]) !== JSON.stringify(to[key]));
  return Object.fromEntries(differing.map((key) => [key, { from: from[key] ?? null, to: to[key] ?? null }]));
}

function plain(value: object | null): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value ?? {}, (_key, v) => (typeof v === "bigint" ? v.toString() : v)));
}

/** Fields that hold a credential, whatever it looks like. Their ids and hashes-by-name are none. */
const SECRET_FIELD =
  /^(password|passphrase|secret|token|bearer|authorization|cookie|api_?key|private_?key|user_?data|credentials?)$/i;

/** What may stand in the trail for ever: credentials are blotted out, by what the field is called and by what they look like. */
export function withoutSecrets(value: unknown, field = ""): unknown {
  if (typeof value === "string") return SECRET_FIELD.test(field) && value !== "" ? "***" : redact(value);
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, field));
  if (value === null || typeof value !== "object") return value;
  // "from" and "to" are the two values of the field around them.
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      withoutSecrets(inner, name === "from" || name === "to" ? field : name),
    ]),
  );
}
