type Kind<T> = [T] extends [string]
  ? "string"
  : [T] extends [number]
    ? "number"
    : [T] extends [boolean]
      ? "boolean"
      : [T] extends [readonly unknown[]]
        ? "array"
        : "object";
type Nullable<T> = null extends T ? `${Kind<NonNullable<T>>}?` : Kind<T>;

type Kinds<T> = { [K in keyof T]-?: Nullable<T[K]> };

/** What stands at the top of an answer, as JSON Schema says it. */
export type AnswerShape = { isShape: true; properties: Record<string, { type: string | string[] }> };

/**
 * Names the fields of an answer and what each is: "string", "object?" where it may be null. The compiler refuses a field that
 * the type has not, one that is left out, and a wrong word.
 */
export function shape<T>(kinds: Kinds<T>): AnswerShape {
  const properties = Object.fromEntries(
    Object.entries<string>(kinds).map(([name, kind]) => [
      name,
      { type: kind.endsWith("?") ? [kind.slice(0, -1), "null"] : kind },
    ]),
  );
  return { isShape: true, properties };
}
