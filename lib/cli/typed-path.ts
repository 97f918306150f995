import path from "node:path";

/** A path as the person means it, from the folder where the command was typed. */
export function typedPath(file: string): string {
  return path.resolve(process.env.HOPPERDECK_CWD ?? process.cwd(), file);
}
