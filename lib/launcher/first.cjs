"use strict";
// The first step of `npm start`, `npm test` and the other commands. It runs before anything is installed and on any Node,
// so it is written in the oldest JavaScript and needs nothing: check Node, install what is missing, then hand over.
var fs = require("fs");
var path = require("path");
var child = require("child_process");

var root = path.join(__dirname, "..", "..");
var command = process.argv[2] || "start";

var version = process.versions.node.split(".").map(Number);
var major = version[0];
var isSupported = (major === 20 && version[1] >= 19) || (major === 22 && version[1] >= 12) || major >= 24;
if (!isSupported) {
  fail(
    "Node " +
      process.versions.node +
      " is too old: Hopperdeck runs on Node 20.19 or newer, 22.12 or newer, and 24 or newer.",
  );
}

process.chdir(root);
if (!isInstalled()) install();

require("./hand-over.cjs")("lib/launcher/" + command + ".ts", fail);

/** Whether node_modules holds what the lockfile says. */
function isInstalled() {
  try {
    var wanted = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8")).packages;
    var found = JSON.parse(fs.readFileSync(path.join(root, "node_modules", ".package-lock.json"), "utf8")).packages;
    return Object.keys(wanted).every(function (name) {
      if (name === "" || wanted[name].optional || wanted[name].peer) return true;
      return found[name] !== undefined && found[name].version === wanted[name].version;
    });
  } catch (_) {
    return false;
  }
}

function install() {
  process.stdout.write("Installing dependencies… ");
  var began = Date.now();
  var npm = process.env.npm_execpath && /npm-cli\.js$/.test(process.env.npm_execpath) ? process.env.npm_execpath : null;
  // Install scripts are not needed, and some of them download from hosts that may be out of reach.
  var args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  var result = npm
    ? child.spawnSync(process.execPath, [npm].concat(args), { cwd: root, encoding: "utf8" })
    : child.spawnSync("npm", args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  if (result.status === 0) {
    process.stdout.write("done, " + Math.round((Date.now() - began) / 1000) + " s\n");
    return;
  }
  process.stdout.write("failed\n");
  var output = (result.stdout || "") + (result.stderr || "") + (result.error ? String(result.error) : "");
  if (/ENOSPC/.test(output))
    fail("The disk is full: the dependencies could not be installed. Free about 1 GB and start again.");
  process.stderr.write(output.slice(-4000) + "\n");
  fail(
    "The dependencies could not be installed (npm ci ended with " + result.status + "). What npm said stands above.",
  );
}

function fail(message) {
  process.stderr.write("\n" + message + "\n");
  process.exit(1);
}
