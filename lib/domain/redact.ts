const SECRETS: [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 ***"],
  [/\bsecret_[\w.-]+/g, "secret_***"],
  [/\bhd_[0-9a-f]+_[\w-]+/g, "hd_***"],
  [/(postgres(?:ql)?:\/\/[^:/\s]+:)[^@\s]+@/g, "$1***@"],
  [/("?(?:jupyter_token|jupyter_url|password|token|authorization|cookie)"?\s*[:=]\s*)("[^"]*"|[^\s,}]+)/gi, "$1***"],
  [/https:\/\/hooks\.slack\.com\/\S+/g, "https://hooks.slack.com/***"],
];

/** Text fit for a log: keys, tokens, cookies and hook addresses blotted out. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}
