import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { AGENT, TOKEN, testMachine } from "./test-machine";

const INSTALL = join(import.meta.dirname, "install.sh");
const machine = testMachine();

describe("the installer", () => {
  let systemctl: string;

  beforeEach(() => {
    systemctl = join(machine.home, "systemctl.log");
    writeFileSync(
      join(machine.home, "systemctl"),
      `#!/bin/sh\n[ "$1" = --version ] && echo "systemd $SYSTEMD (1)" && exit\necho "$*" >>"${systemctl}"\n`,
    );
    chmodSync(join(machine.home, "systemctl"), 0o755);
    mkdirSync(join(machine.home, "root/run/systemd/system"), { recursive: true });
    for (const name of ["hopperdeck-agent", "hopperdeck-agent.service"]) {
      machine.files.set(`/agent/${name}`, readFileSync(join(import.meta.dirname, name), "utf8"));
    }
  });

  const install = (args: string[], env: Record<string, string> = {}) =>
    machine.start(["sh"], INSTALL, args, { HOPPERDECK_ROOT: join(machine.home, "root"), SYSTEMD: "255", ...env }).done;
  const file = (path: string) => join(machine.home, "root", path);

  test("puts agent, unit, configuration and token in place, starts it, and is safe to repeat", async () => {
    for (const token of ["first", TOKEN]) {
      const { status, log } = await install(["--url", `${machine.url}/`, "--token", token]);
      expect(log).toContain("A first report has arrived");
      expect(status).toBe(0);
    }
    expect(readFileSync(file("usr/local/bin/hopperdeck-agent"), "utf8")).toBe(readFileSync(AGENT, "utf8"));
    expect(statSync(file("usr/local/bin/hopperdeck-agent")).mode & 0o777).toBe(0o755);
    expect(readFileSync(file("etc/hopperdeck/token"), "utf8")).toBe(`${TOKEN}\n`);
    expect(statSync(file("etc/hopperdeck/token")).mode & 0o777).toBe(0o600);
    expect(readFileSync(file("etc/hopperdeck/agent.conf"), "utf8")).toBe(`URL=${machine.url}\nINTERVAL=10\n`);
    expect(existsSync(file("etc/systemd/system/hopperdeck-agent.service"))).toBe(true);
    expect(existsSync(file("etc/systemd/system/hopperdeck-agent.service.d"))).toBe(false);
    expect(readFileSync(systemctl, "utf8").split("\n").slice(0, 3)).toEqual([
      "daemon-reload",
      "enable hopperdeck-agent.service",
      "restart hopperdeck-agent.service",
    ]);
    expect(machine.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer first", `Bearer ${TOKEN}`]);
  });

  test("--update takes the newest agent and keeps address, token, interval and what was added by hand", async () => {
    await install(["--url", machine.url, "--token", TOKEN, "--interval", "30"]);
    writeFileSync(file("etc/hopperdeck/agent.conf"), `URL=${machine.url}\nINTERVAL=30\nSKIP=cuda\n`);
    writeFileSync(file("usr/local/bin/hopperdeck-agent"), "#!/bin/sh\n# of long ago\n");
    const { status, log } = await install(["--update"]);
    expect(log).toContain("A first report has arrived");
    expect(status).toBe(0);
    expect(readFileSync(file("usr/local/bin/hopperdeck-agent"), "utf8")).toBe(readFileSync(AGENT, "utf8"));
    expect(readFileSync(file("etc/hopperdeck/agent.conf"), "utf8")).toBe(
      `URL=${machine.url}\nINTERVAL=30\nSKIP=cuda\n`,
    );
    expect(readFileSync(file("etc/hopperdeck/token"), "utf8")).toBe(`${TOKEN}\n`);
  });

  test("a machine without the group of the journal is not asked for it", async () => {
    mkdirSync(file("etc"), { recursive: true });
    writeFileSync(file("etc/group"), "root:x:0:\n");
    await install(["--url", machine.url, "--token", TOKEN]);
    const dropIn = file("etc/systemd/system/hopperdeck-agent.service.d/no-journal-group.conf");
    expect(readFileSync(dropIn, "utf8")).toBe("[Service]\nSupplementaryGroups=\n");
  });

  test("takes everything away again", async () => {
    await install(["--url", machine.url, "--token", TOKEN]);
    expect((await install(["--uninstall"])).status).toBe(0);
    for (const path of [
      "usr/local/bin/hopperdeck-agent",
      "etc/hopperdeck",
      "etc/systemd/system/hopperdeck-agent.service",
    ]) {
      expect(existsSync(file(path))).toBe(false);
    }
    expect(readFileSync(systemctl, "utf8")).toContain("disable --now hopperdeck-agent.service");
  });

  test("a dashboard that refuses the token, and a driver that comes later, do not stop it", async () => {
    machine.answer = () => ({ status: 401 });
    const { status, log } = await install(["--url", machine.url, "--token", TOKEN], {
      HOPPERDECK_NVIDIA_SMI: "nowhere",
    });
    expect(status).toBe(0);
    expect(log).toContain("does not accept the token (401)");
    expect(log).toContain("the first report has not arrived");
  });

  test("systemd before 247 cannot hand over the token, so the agent is root there", async () => {
    await install(["--url", machine.url, "--token", TOKEN], { SYSTEMD: "245" });
    const dropIn = file("etc/systemd/system/hopperdeck-agent.service.d/old-systemd.conf");
    expect(readFileSync(dropIn, "utf8")).toBe("[Service]\nDynamicUser=no\n");
  });

  test("without systemd it says how to start it", async () => {
    rmSync(join(machine.home, "root/run"), { recursive: true });
    const { status, log } = await install(["--url", machine.url, "--token", TOKEN]);
    expect(status).toBe(0);
    expect(log).toContain("nohup");
    expect(existsSync(systemctl)).toBe(false);
  });

  test.each([
    [["--token", "t"], "--url must be the address"],
    [["--url", "http://x/$(id)", "--token", "t"], "--url has a character"],
    [["--url", "http://x"], "--token is missing"],
    [["--url", "http://x", "--token", "a b"], "--token has a character"],
    [["--url", "http://x", "--token"], "--token needs a value"],
    [["--url", "http://x", "--token", "t", "--interval", "x"], "--interval must be"],
    [["--purge"], "unknown option --purge"],
    [["--update"], "there is no agent here to update"],
    [["--url", "http://127.0.0.1:9", "--token", "t"], "cannot download http://127.0.0.1:9/agent/hopperdeck-agent"],
  ])("%j: refused in words, and nothing is written", async (args, words) => {
    const { status, log } = await install(args);
    expect(status).toBe(1);
    expect(log).toContain(words);
    expect(existsSync(file("etc/hopperdeck"))).toBe(false);
  });

  test("a page of something that stands before the dashboard is not installed", async () => {
    machine.files.clear();
    const { status, log } = await install(["--url", machine.url, "--token", TOKEN]);
    expect(status).toBe(1);
    expect(log).toContain("is not the agent");
    expect(existsSync(file("usr/local/bin/hopperdeck-agent"))).toBe(false);
  });
});
