/**
 * The address and token that an install line inside cloud-init user data hands to the agent
 * (`… | sudo sh -s -- --url URL --token TOKEN`), in a shell line or a YAML list, quoted or not. Null where there is
 * none: such a machine never reports.
 */
export function readInstallLine(userData: string | null): { url: string; token: string } | null {
  const url = argument(userData ?? "", "url");
  const token = argument(userData ?? "", "token");
  return url && token && /^https?:\/\/[^/]/.test(url) ? { url: url.replace(/\/+$/, ""), token } : null;
}

function argument(text: string, name: string): string | null {
  const found = new RegExp(`--${name}(?:=|[\\s"',\\\\]+)["'\\\\]*([^\\s"',\\\\]+)`).exec(text);
  return found?.[1] ?? null;
}
