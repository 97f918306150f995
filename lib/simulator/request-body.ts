import { problems } from "./problems";

/** How a field is bounded; texts of refusals are pydantic's, which the real service uses. */
type Bounds = { min?: number; max?: number; pattern?: RegExp };

/** A JSON object from outside, read field by field. Keys that nobody asks for are ignored. */
export class RequestBody {
  private constructor(
    private readonly fields: Record<string, unknown>,
    private readonly place: string,
  ) {}

  static of(value: unknown, place = ""): RequestBody {
    if (!isRecord(value)) throw wrong(place || "body", "Input should be a valid dictionary");
    return new RequestBody(value, place);
  }

  string(name: string, bounds: Bounds = {}): string {
    const value = this.optionalString(name, bounds);
    if (value === null) throw this.wrong(name, "Field required");
    return value;
  }

  optionalString(name: string, bounds: Bounds = {}): string | null {
    const value = this.fields[name];
    if (value === undefined || value === null) return null;
    return checked(value, bounds, this.path(name));
  }

  strings(name: string): string[] {
    const value = this.fields[name];
    if (value === undefined) throw this.wrong(name, "Field required");
    return this.list(name).map((item, i) => checked(item, {}, this.path(`${name}.${i}`)));
  }

  optionalStrings(name: string): string[] {
    return this.has(name) ? this.strings(name) : [];
  }

  objects(name: string): RequestBody[] {
    return this.has(name) ? this.list(name).map((item, i) => RequestBody.of(item, this.path(`${name}.${i}`))) : [];
  }

  /** Two ports, the first not above the second; null where there are none. */
  ports(name: string): [number, number] | null {
    if (!this.has(name)) return null;
    const [from, to, ...rest] = this.list(name);
    const isPort = (value: unknown): value is number =>
      Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;
    if (!isPort(from) || !isPort(to) || from > to || rest.length > 0)
      throw this.wrong(name, "Input should be a range of ports");
    return [from, to];
  }

  object(name: string): RequestBody | null {
    return this.has(name) ? RequestBody.of(this.fields[name], this.path(name)) : null;
  }

  /** A number that is tolerated up to a bound: `quantity` is gone from the specification, and 1 still works. */
  atMost(name: string, most: number): void {
    const value = this.fields[name];
    if (value === undefined || value === null) return;
    if (typeof value !== "number" || !Number.isInteger(value))
      throw this.wrong(name, "Input should be a valid integer");
    if (value > most) throw this.wrong(name, `Input should be less than or equal to ${most}`);
    if (value < 1) throw this.wrong(name, "Input should be greater than or equal to 1");
  }

  wrong(name: string, text: string) {
    return wrong(this.path(name), text);
  }

  private list(name: string): unknown[] {
    const value = this.fields[name];
    if (!Array.isArray(value)) throw this.wrong(name, "Input should be a valid list");
    return value;
  }

  private has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  private path(name: string): string {
    return this.place ? `${this.place}.${name}` : name;
  }
}

const wrong = (path: string, text: string) => problems.invalid(`Error in request body at '${path}': ${text}`);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checked(value: unknown, { min = 0, max, pattern }: Bounds, path: string): string {
  if (typeof value !== "string") throw wrong(path, "Input should be a valid string");
  if (value.length < min) throw wrong(path, `String should have at least ${min} character${min === 1 ? "" : "s"}`);
  if (max !== undefined && value.length > max) throw wrong(path, `String should have at most ${max} characters`);
  if (pattern && !pattern.test(value)) throw wrong(path, `String should match pattern '${pattern.source}'`);
  return value;
}

/** An id in a path: 32 hexadecimal digits, dashes tolerated; refused in the words of the recorded answer. */
export function pathId(text: string): string {
  const simple = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) ? text.replaceAll("-", "") : text;
  const stray = /[^0-9a-f-]/i.exec(simple);
  if (stray) {
    const found = `found \`${stray[0]}\` at ${stray.index + 1}`;
    throw problems.invalid(
      `Error in request path at 'id': Input should be a valid UUID, invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], ${found}`,
    );
  }
  if (simple.length !== 32) {
    throw problems.invalid(
      `Error in request path at 'id': Input should be a valid UUID, invalid length: expected length 32 for simple format, found ${simple.length}`,
    );
  }
  return simple.toLowerCase();
}
