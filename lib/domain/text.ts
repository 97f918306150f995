// Control, bidirectional and zero-width characters: they hide or reorder what a person reads.
const UNSEEN = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
const ALL_UNSEEN = new RegExp(UNSEEN.source, "gu");

/** A name that is safe to show and store: NFC, nothing invisible, no ends of space, at most `limit` code points. */
export function cleanName(name: string, limit = 200): string {
  const clean = name.normalize("NFC").replace(ALL_UNSEEN, "").replace(/\s+/gu, " ").trim();
  return [...clean].slice(0, limit).join("");
}

export function hasUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** As an account is known: compatibility forms folded before anything is compared (look-alike letters of other widths). */
export function cleanEmail(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase();
}
