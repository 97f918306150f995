/** What a browser calls itself, in two words: "Firefox on Linux". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return "Unknown browser";
  const browser = BROWSERS.find(([mark]) => mark.test(userAgent))?.[1] ?? "A browser";
  const system = SYSTEMS.find(([mark]) => mark.test(userAgent))?.[1];
  return system ? `${browser} on ${system}` : browser;
}

// The first that fits: most browsers also call themselves by the names of others.
const BROWSERS: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/(Headless)?Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
  [/^curl\//, "curl"],
];

const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/Linux/, "Linux"],
];
