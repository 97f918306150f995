import { expect, test } from "vitest";
import { readInstallLine } from "./install-line";

const found = { url: "https://deck.example:8443", token: "hd_enrol_AbC-12_3" };

test.each([
  [
    "a shell line",
    "curl -fsSL U/agent/install.sh | sudo sh -s -- --url https://deck.example:8443 --token hd_enrol_AbC-12_3",
  ],
  ["single quotes", "… | sudo sh -s -- --url 'https://deck.example:8443' --token 'hd_enrol_AbC-12_3'"],
  [
    "double quotes in a quoted YAML line",
    String.raw`- "… --url \"https://deck.example:8443\" --token \"hd_enrol_AbC-12_3\""`,
  ],
  ["a YAML list", `- [sh, -s, --, "--url", "https://deck.example:8443", "--token", "hd_enrol_AbC-12_3"]`],
  ["equal signs and a slash at the end", "sh -s -- --url=https://deck.example:8443/ --token=hd_enrol_AbC-12_3"],
  ["the other order, over two lines", "sh -s -- --token hd_enrol_AbC-12_3 \\\n  --url https://deck.example:8443\n"],
])("%s brings address and token", (_, text) => {
  expect(readInstallLine(text)).toEqual(found);
});

test.each([
  ["no user data", null],
  ["user data about something else", "#cloud-config\npackages: [htop]\n"],
  ["no token", "sh -s -- --url https://deck.example"],
  ["an address that is none", "sh -s -- --url deck.example --token t"],
])("%s: the machine never reports", (_, text) => {
  expect(readInstallLine(text)).toBeNull();
});
