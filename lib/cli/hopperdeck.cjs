#!/usr/bin/env node
// The `hopperdeck` command: works from any folder, right after the dependencies are installed, without a build.
const path = require("node:path");

process.env.HOPPERDECK_CWD ??= process.cwd();
process.chdir(path.join(__dirname, "..", ".."));
require("../launcher/hand-over.cjs")("lib/cli/main.ts", (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
