import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { say } from "./report";

export type Count = { passed: number; failed: number; skipped: number; skippedNames: string[] };

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

type PlaywrightSuite = {
  title: string;
  specs: { title: string; tests: { status: string; annotations: { type: string; description?: string }[] }[] }[];
  suites?: PlaywrightSuite[];
};

/** What a Vitest JSON report says. A file that could not even be read counts as one failure. */
export function countVitest(report: VitestReport): Count {
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  const skipped = report.testResults.flatMap((file) =>
    file.assertionResults.filter(({ status }) => !["passed", "failed"].includes(status)).map((test) => test.fullName),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: skipped.length,
    skippedNames: skipped,
  };
}

/** What a Playwright JSON report says. A test that passed at a second try has not passed. */
export function countPlaywright(report: { suites: PlaywrightSuite[]; errors: unknown[] }): Count {
  const count: Count = { passed: 0, failed: report.errors.length, skipped: 0, skippedNames: [] };
  const visit = (suite: PlaywrightSuite) => {
    for (const spec of suite.specs) {
      for (const { status, annotations } of spec.tests) {
        if (status === "expected") count.passed++;
        else if (status === "skipped") {
          count.skipped++;
          const why = annotations.find(({ type }) => type === "skip")?.description;
          count.skippedNames.push(why ? `${spec.title} (${why})` : spec.title);
        } else count.failed++;
      }
    }
    for (const inner of suite.suites ?? []) visit(inner);
  };
  for (const suite of report.suites) visit(suite);
  return count;
}

const OUTPUT_LIMIT = 60_000;
const PATIENCE_MS = 60_000;
const SKIPPED_NAMED = 5;

/** Steps of a run, one line each; a failing one shows what it said, and the next ones go on. */
export class Suite {
  #total: Count = { passed: 0, failed: 0, skipped: 0, skippedNames: [] };
  #child: ChildProcess | null = null;
  #stopping = new AbortController();
  /** What the runners write on the way. It goes with the run, even where they were stopped before they could clear up. */
  readonly #folder = mkdtempSync(path.join(tmpdir(), "hd-"));

  constructor() {
    // As root, PostgreSQL runs as somebody else, who must be able to enter.
    chmodSync(this.#folder, 0o755);
  }

  /** Aborts when the run is to end. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Asks the step that runs to end, which takes what it started down with it; no further one begins. */
  stop(): void {
    if (this.signal.aborted) return;
    say("Stopping…");
    this.#stopping.abort();
    const child = this.#child;
    if (!child?.pid) return;
    child.kill("SIGINT");
    const group = -child.pid;
    const patience = setTimeout(() => {
      try {
        process.kill(group, "SIGKILL");
      } catch {
        // It has just ended by itself.
      }
    }, PATIENCE_MS);
    child.once("close", () => clearTimeout(patience));
  }

  async work(title: string, work: () => Promise<string>): Promise<boolean> {
    if (this.signal.aborted) return false;
    const began = Date.now();
    try {
      this.#tell(true, title, await work(), began);
      return true;
    } catch (error) {
      this.#total.failed++;
      this.#tell(false, title, (error as Error).message, began);
      return false;
    }
  }

  /** One check that passes or fails as a whole. */
  async check(title: string, script: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
    if (this.signal.aborted) return false;
    const began = Date.now();
    const { code, output } = await this.#run(script, args, env);
    if (code === 0) this.#total.passed++;
    else {
      this.#total.failed++;
      process.stdout.write(`${output}\n`);
    }
    this.#tell(code === 0, title, "", began);
    return code === 0;
  }

  /** Many tests, counted from the runner's own report. */
  async tests(
    title: string,
    script: string,
    args: (report: string) => string[],
    count: (report: never) => Count,
    env: (report: string) => Record<string, string> = () => ({}),
  ): Promise<boolean> {
    if (this.signal.aborted) return false;
    const began = Date.now();
    const file = path.join(this.#folder, `${title.replaceAll(" ", "-")}.json`);
    const { code, output } = await this.#run(script, args(file), env(file));
    let counted: Count = { passed: 0, failed: 1, skipped: 0, skippedNames: [] };
    try {
      counted = count(JSON.parse(readFileSync(file, "utf8")) as never);
      // A runner that ends badly after its last test has a reason.
      if (code !== 0 && counted.failed === 0) counted.failed = 1;
    } catch {
      // No report: the runner itself fell.
    }
    if (counted.failed > 0) process.stdout.write(`${output}\n`);
    this.#total.passed += counted.passed;
    this.#total.failed += counted.failed;
    this.#total.skipped += counted.skipped;
    this.#total.skippedNames.push(...counted.skippedNames);
    this.#tell(counted.failed === 0, title, `${counted.passed} passed`, began);
    return counted.failed === 0;
  }

  /** The last lines, and the exit status. */
  finish(): number {
    // A server may still be at its shutdown.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    const { passed, failed, skipped, skippedNames } = this.#total;
    for (const name of skippedNames.slice(0, SKIPPED_NAMED)) say(`  – skipped: ${name}`);
    if (skippedNames.length > SKIPPED_NAMED)
      say(`  – skipped: ${skippedNames.length - SKIPPED_NAMED} more; most need the shared cases (SHARED_DIR)`);
    if (this.signal.aborted) say("Stopped before the end.");
    say(`${passed} passed, ${failed} failed, ${skipped} skipped`);
    return failed > 0 || passed === 0 || this.signal.aborted ? 1 : 0;
  }

  #tell(isOk: boolean, title: string, note: string, began: number): void {
    const seconds = Math.round((Date.now() - began) / 1000);
    say(`  ${isOk ? "✓" : "✗"} ${title}${note ? `: ${note}` : ""}, ${seconds} s`);
  }

  #run(script: string, args: string[], env: Record<string, string>): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [script, ...args], {
        env: {
          ...process.env,
          NO_COLOR: "1",
          FORCE_COLOR: "0",
          NEXT_TELEMETRY_DISABLED: "1",
          TMPDIR: this.#folder,
          ...env,
        },
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own: Ctrl-C reaches the launcher alone, which asks the runner once.
        detached: true,
      });
      this.#child = child;
      let output = "";
      const keep = (chunk: Buffer) => {
        output = (output + chunk).slice(-OUTPUT_LIMIT);
      };
      child.stdout.on("data", keep);
      child.stderr.on("data", keep);
      child.once("close", (code) => {
        this.#child = null;
        resolve({ code, output });
      });
    });
  }
}
