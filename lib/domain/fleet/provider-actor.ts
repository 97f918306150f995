/** "lrn:cloud:api_key:62f8…795b" as people can read it: "API key …795b". What has no such form stays as it is. */
export function providerActor(text: string): string {
  const [, kind, id] = /^lrn:[^:]*:([a-z_]+):(.+)$/.exec(text) ?? [];
  if (!kind || !id) return text;
  return `${kind === "api_key" ? "API key" : kind.replaceAll("_", " ")} …${id.slice(-4)}`;
}
