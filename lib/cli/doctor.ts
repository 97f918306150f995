import { statfsSync } from "node:fs";
import { askDatabase } from "@/lib/db/health";
import { isLoopback } from "@/lib/env";
import { listBackups } from "@/lib/services/backup/nightly";
import { readHealth } from "@/lib/services/health";
import { signInWays } from "@/lib/services/sign-in-provider";
import { env, withDatabase } from "./connect";

type Finding = { tone: "ok" | "warn" | "bad"; text: string };

/** Looks at everything that has to be right, and says what to do about what is not. */
export async function doctor(): Promise<number> {
  const findings: Finding[] = [];
  await withDatabase(async () => {
    findings.push(disk(), ...(await database()), ...(await parts()), backups(), ...(await door()));
  }).catch((error: unknown) =>
    findings.push({ tone: "bad", text: `The database cannot be used: ${(error as Error).message}` }),
  );
  // The address last: the environment is complete only once the running Hopperdeck has been found.
  findings.unshift(node(), ...address());
  const marks = { ok: "✓", warn: "!", bad: "✗" };
  for (const { tone, text } of findings) console.log(`${marks[tone]} ${text}`);
  return findings.some((finding) => finding.tone === "bad") ? 1 : 0;
}

function node(): Finding {
  const [major = 0, minor = 0, patch = 0] = process.versions.node.split(".").map(Number);
  const isPatched =
    (major === 22 && (minor > 23 || (minor === 23 && patch >= 4))) ||
    (major === 24 && (minor > 22 || (minor === 22 && patch >= 1))) ||
    major > 24;
  return isPatched
    ? { tone: "ok", text: `Node ${process.versions.node}` }
    : {
        tone: "warn",
        text: `Node ${process.versions.node} runs, but lacks security fixes (CVE-2026-111497 among them). Use 22.23.4, 24.22.1 or newer.`,
      };
}

function address(): Finding[] {
  if (env.mode === "demo") return [{ tone: "ok", text: "Demo fleet: machines report on this computer" }];
  if (isLoopback(env.publicUrl))
    return [
      {
        tone: "warn",
        text: `PUBLIC_URL is ${env.publicUrl}: machines at Lambda cannot report to it. Set it to an address that they reach.`,
      },
    ];
  if (env.publicUrl.startsWith("http:"))
    return [
      {
        tone: "warn",
        text: `PUBLIC_URL is ${env.publicUrl}: tokens and telemetry would travel unencrypted. Put https in front.`,
      },
    ];
  return [{ tone: "ok", text: `Machines report to ${env.publicUrl}` }];
}

function disk(): Finding {
  const { bavail, bsize } = statfsSync(env.dataDir);
  const gb = (bavail * bsize) / 1e9;
  return gb < 2
    ? { tone: "warn", text: `${gb.toFixed(1)} GB are free below ${env.dataDir}; telemetry needs room.` }
    : { tone: "ok", text: `${gb.toFixed(0)} GB free below ${env.dataDir}` };
}

async function database(): Promise<Finding[]> {
  const { version, migrations, mode, sizeBytes } = await askDatabase();
  return [
    {
      tone: "ok",
      text: `PostgreSQL ${version}, ${migrations} ${migrations === 1 ? "migration" : "migrations"}, ${(sizeBytes / 1e6).toFixed(0)} MB`,
    },
    mode === env.mode
      ? { tone: "ok", text: `The database holds the ${mode} fleet` }
      : { tone: "bad", text: `The database holds the ${mode} fleet, and the settings ask for the ${env.mode} one.` },
  ];
}

async function parts(): Promise<Finding[]> {
  const { checks } = await readHealth();
  return checks
    .filter((check) => check.name !== "database")
    .map(({ name, isOk, ageMs, detail }) => ({
      tone: isOk ? "ok" : "warn",
      text: `${name}: ${detail}${ageMs === null ? "" : `, ${Math.round(ageMs / 1000)} s ago`}`,
    }));
}

/** Whether anybody comes in on the day on which the identity provider is away. */
async function door(): Promise<Finding[]> {
  const { hasPassword, hasGlass, provider } = await signInWays();
  if (hasPassword || hasGlass) return [];
  return [
    {
      tone: "warn",
      text: `Nobody comes in while ${provider ?? "the identity provider"} is away: seal an account with hopperdeck user break-glass EMAIL.`,
    },
  ];
}

function backups(): Finding {
  const [newest] = listBackups();
  if (!newest) return { tone: "warn", text: "No nightly backup yet" };
  const hours = (Date.now() - newest.madeAt) / 3_600_000;
  return hours > 26
    ? { tone: "warn", text: `The newest backup is ${Math.round(hours)} h old` }
    : { tone: "ok", text: `Newest backup ${newest.name}, ${(newest.bytes / 1e6).toFixed(1)} MB` };
}
