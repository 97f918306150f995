/** Numbers as Go's fmt writes them; what rule files print is compared to the letter. */

/** `%.4g`, and with a precision of null the shortest text that reads back as the same number (`%v`). */
export function formatG(value: number, precision: number | null): string {
  if (!Number.isFinite(value)) return notFinite(value);
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponent = "0"] = (
    precision === null
      ? value.toExponential()
      : evenly(value, (precision || 1) - 1, (one, digits) => one.toExponential(digits))
  ).split("e");
  const power = Number(exponent);
  const digits = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
  const isLong = power < -4 || power >= (precision === null ? 6 : precision || 1);
  if (isLong) return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const places = Math.max(0, digits.replace(/[-.]/g, "").length - 1 - power);
  return precision === null ? plain(value) : Number(`${digits}e${power}`).toFixed(Math.min(100, places));
}

/** A number that lies exactly between two texts takes the even one, as in Go; JavaScript takes the larger. */
function evenly(value: number, digits: number, write: (value: number, digits: number) => string): string {
  const rounded = write(value, digits);
  const [mantissa = "", exponent = ""] = rounded.split("e");
  const isOdd = "13579".includes(mantissa.at(-1) ?? "0");
  // 40 digits more say whether it is exactly between.
  const exact = write(value, Math.min(100, digits + 40)).split("e")[0] ?? "";
  const [, places = ""] = exact.split(".");
  const isTie = places[digits] === "5" && /^5?0*$/.test(places.slice(digits));
  if (!isOdd || !isTie) return rounded;
  const lower = exact.slice(0, exact.length - places.length + digits).replace(/\.$/, "");
  return exponent === "" ? lower : `${lower}e${exponent}`;
}

/** JavaScript writes small numbers with an exponent sooner than Go does. */
function plain(value: number): string {
  const text = String(value);
  if (!text.includes("e-")) return text;
  const [mantissa = "", exponent = "0"] = text.split("e");
  return value.toFixed(Math.min(100, Number(exponent.slice(1)) + (mantissa.split(".")[1]?.length ?? 0)));
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

const LARGE = ["k", "M", "G", "T", "P", "E", "Z", "Y"];
const SMALL = ["m", "u", "n", "p", "f", "a", "z", "y"];

function scaled(value: number, by: number, prefixes: readonly string[]): { value: number; prefix: string } {
  let [rest, prefix] = [value, ""];
  for (const next of prefixes) {
    if (by > 1 ? Math.abs(rest) < by : Math.abs(rest) >= 1) break;
    prefix = next;
    rest = by > 1 ? rest / by : rest * 1_000;
  }
  return { value: rest, prefix };
}

export function humanize(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return formatG(value, 4);
  const found = Math.abs(value) >= 1 ? scaled(value, 1_000, LARGE) : scaled(value, 0, SMALL);
  return `${formatG(found.value, 4)}${found.prefix}`;
}

export function humanize1024(value: number): string {
  if (Math.abs(value) <= 1 || !Number.isFinite(value)) return formatG(value, 4);
  const found = scaled(
    value,
    1_024,
    LARGE.map((prefix) => `${prefix}i`),
  );
  return `${formatG(found.value, 4)}${found.prefix}`;
}

/** Seconds as "1d 2h 3m 4s"; below a minute with four digits. */
export function humanizeDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return formatG(seconds, 4);
  if (Math.abs(seconds) < 1 && seconds !== 0) {
    const { value, prefix } = scaled(seconds, 0, SMALL);
    return `${formatG(value, 4)}${prefix}s`;
  }
  const sign = seconds < 0 ? "-" : "";
  const whole = Math.trunc(Math.abs(seconds));
  const [d, h, m, s] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  if (d > 0) return `${sign}${d}d ${h}h ${m}m ${s}s`;
  if (h > 0) return `${sign}${h}h ${m}m ${s}s`;
  if (m > 0) return `${sign}${m}m ${s}s`;
  return `${sign}${formatG(Math.abs(seconds), 4)}s`;
}

export function humanizePercentage(value: number): string {
  return `${formatG(value * 100, 4)}%`;
}

export function humanizeTimestamp(seconds: number): string {
  if (!Number.isFinite(seconds)) return formatG(seconds, 4);
  const [day = "", time = ""] = new Date(seconds * 1_000).toISOString().split("T");
  return `${day} ${time.replace(/\.?0*Z$/, "")} +0000 UTC`;
}

/** Go's `printf` with what rule files use of it; null: a verb that is not known here, or an operand it does not fit. */
export function goPrintf(format: string, args: readonly (string | number | boolean)[]): string | null {
  let next = 0;
  let isKnown = true;
  const text = format.replace(
    /%([-+0 #]*)(\d*)(?:\.(\d+))?([a-zA-Z%])/g,
    (_, flags: string, width: string, digits: string | undefined, verb: string) => {
      if (verb === "%") return "%";
      const body = verbText(verb, args[next++], digits === undefined ? null : Number(digits));
      if (body === null) {
        isKnown = false;
        return "";
      }
      const signed = flags.includes("+") && !body.startsWith("-") && verb !== "s" ? `+${body}` : body;
      if (flags.includes("-")) return signed.padEnd(Number(width));
      return flags.includes("0") ? signed.padStart(Number(width), "0") : signed.padStart(Number(width));
    },
  );
  return isKnown && next === args.length ? text : null;
}

function verbText(verb: string, value: string | number | boolean | undefined, digits: number | null): string | null {
  if (value === undefined) return null;
  if (verb === "v") return typeof value === "number" ? formatG(value, digits) : String(value);
  if (typeof value === "string" && verb === "s") return digits === null ? value : value.slice(0, digits);
  if (typeof value === "string" && verb === "q") return JSON.stringify(value);
  if (typeof value !== "number") return null;
  if (!Number.isFinite(value) && "feg".includes(verb)) return notFinite(value);
  if (verb === "f") return evenly(value, digits ?? 6, (one, places) => one.toFixed(places));
  if (verb === "g") return formatG(value, digits);
  if (verb === "e")
    return evenly(value, digits ?? 6, (one, places) => one.toExponential(places)).replace(/e([-+])(\d)$/, "e$10$2");
  return null;
}
