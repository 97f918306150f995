import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";

const FILES = ["hopperdeck-agent", "hopperdeck-agent.service", "install.sh"];

export type AgentFile = { text: string; etag: string };

/** The version of the agent that machines get here, as it says itself. */
export async function agentVersion(): Promise<string> {
  const agent = await readAgentFile("hopperdeck-agent");
  const version = /^VERSION=(\d+(?:\.\d+)*)$/m.exec(agent?.text ?? "")?.[1];
  if (version === undefined) throw new Error("agent/hopperdeck-agent names no VERSION");
  return version;
}

/** A file of the agent as machines download it; null for anything else. */
export async function readAgentFile(name: string): Promise<AgentFile | null> {
  if (!FILES.includes(name)) return null;
  const text = await readFile(path.join(/* turbopackIgnore: true */ process.cwd(), "agent", name), "utf8");
  return { text, etag: `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"` };
}
