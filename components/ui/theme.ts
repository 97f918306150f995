/** Follows the system until somebody chooses. */
export type Theme = "system" | "light" | "dark";

export const THEME_COOKIE = "theme";

/** The choice in a cookie; anything else is the system's. The root element carries it as `data-theme` unless "system". */
export function themeFrom(cookie: string | undefined): Theme {
  return cookie === "light" || cookie === "dark" ? cookie : "system";
}
