import { ownDataType } from "@/lib/domain/intents/own-data";

/** The line that installs the agent on a machine. The token can only write this machine's samples. */
export function installLine(publicUrl: string, token: string): string {
  return `curl -fsSL ${quoted(`${publicUrl}/agent/install.sh`)} | sudo sh -s -- --url ${quoted(publicUrl)} --token ${quoted(token)}`;
}

/** The line that brings an installed agent up to date; it keeps its address and token. */
export function updateLine(publicUrl: string): string {
  return `curl -fsSL ${quoted(`${publicUrl}/agent/install.sh`)} | sudo sh -s -- --update`;
}

/**
 * cloud-init for a machine that we launch: the agent is installed at first boot, tried again while the network comes up. What a
 * person wants done besides is a part of its own after it, so that neither can break the other (MIME multipart; cloud-init runs
 * scripts in the order of their file names).
 */
export function launchUserData(publicUrl: string, token: string, own = ""): string {
  const agent = agentScript(publicUrl, token);
  const type = ownDataType(own);
  return own.trim() === "" || type === null ? agent : multipart(agent, type.type, own);
}

function multipart(agent: string, type: string, own: string): string {
  const lines = (
    Buffer.from(own.replaceAll("\r\n", "\n"), "utf8")
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\n");
  return [
    `Content-Type: multipart/mixed; boundary="${BOUNDARY}"`,
    "MIME-Version: 1.0",
    "",
    `--${BOUNDARY}`,
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    "MIME-Version: 1.0",
    'Content-Disposition: attachment; filename="01-hopperdeck.sh"',
    "",
    agent,
    `--${BOUNDARY}`,
    `Content-Type: ${type}; charset="utf-8"`,
    "MIME-Version: 1.0",
    "Content-Transfer-Encoding: base64",
    'Content-Disposition: attachment; filename="02-own"',
    "",
    lines,
    "",
    `--${BOUNDARY}--`,
    "",
  ].join("\n");
}

// What is between is base64, which has no "=" before its end: no line of it can look like this.
const BOUNDARY = "==hopperdeck==";

function agentScript(publicUrl: string, token: string): string {
  return [
    "#!/bin/sh",
    "# Hopperdeck: telemetry agent",
    "for pause in 5 10 20 40 60 60 60; do",
    `  if curl -fsSL ${quoted(`${publicUrl}/agent/install.sh`)} -o /tmp/hopperdeck-install.sh; then`,
    `    sh /tmp/hopperdeck-install.sh --url ${quoted(publicUrl)} --token ${quoted(token)} && break`,
    "  fi",
    '  sleep "$pause"',
    "done",
    "",
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
