import { MINUS } from "@/lib/domain/format";

/** All six decimals of an amount: `$1.234568`, where it must equal another to the micro-dollar. */
export function exactUsd(micros: string): string {
  const isLess = micros.startsWith("-");
  const digits = (isLess ? micros.slice(1) : micros).padStart(7, "0");
  const whole = digits.slice(0, -6).replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return `${isLess ? MINUS : ""}$${whole}.${digits.slice(-6)}`;
}
