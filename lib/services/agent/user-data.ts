/** The line that installs the agent on a machine. The token can only write this machine's samples. */
export function installLine(publicUrl: string, token: string): string {
  return `curl -fsSL ${quoted(`${publicUrl}/agent/install.sh`)} | sudo sh -s -- --url ${quoted(publicUrl)} --token ${quoted(token)}`;
}

/** The line that brings an installed agent up to date; it keeps its address and token. */
export function updateLine(publicUrl: string): string {
  return `curl -fsSL ${quoted(`${publicUrl}/agent/install.sh`)} | sudo sh -s -- --update`;
}

/** cloud-init for a machine that we launch: the agent is installed at first boot, tried again while the network comes up. */
export function launchUserData(publicUrl: string, token: string): string {
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
