export const ZONE_COOKIE = "zone";

/** The zone in which a page shows time: UTC until somebody chooses the browser's own, whose name the cookie then holds. */
export function zoneFrom(cookie: string | undefined): string {
  const zone = cookie === undefined ? "UTC" : decodeURIComponent(cookie);
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}
