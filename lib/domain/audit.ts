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
