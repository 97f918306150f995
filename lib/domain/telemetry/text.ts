import { cleanName } from "@/lib/domain/text";

/** Untrusted text of any length as one clean line of at most `max` characters, with no half characters in it. */
export function cleanText(text: string, max = 200): string {
  const bounded = text.slice(0, max * 8).replace(/\s+/gu, " ");
  return cleanName(bounded.replace(/\p{Cs}/gu, ""), max).trim();
}

/** As `cleanText`, and null when nothing is left. */
export function textOrNull(text: string | null | undefined, max = 200): string | null {
  return text ? cleanText(text, max) || null : null;
}
