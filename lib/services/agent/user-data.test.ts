import { expect, test } from "vitest";
import { launchUserData } from "./user-data";

const PARTS = /--==hopperdeck==\n([\s\S]*?)\n\n([\s\S]*?)\n(?=--==hopperdeck==)/g;

/** As a MIME reader takes it apart: heads, and bodies decoded. */
function parts(text: string) {
  return [...text.matchAll(PARTS)].map(([, head = "", body = ""]) => ({
    head,
    body: head.includes("base64") ? Buffer.from(body, "base64").toString("utf8") : body,
  }));
}

test("nothing besides is the agent's script alone", () => {
  const plain = launchUserData("https://deck.example.com", "hd_1_secret");
  expect(plain).toMatch(/^#!\/bin\/sh\n/);
  expect(launchUserData("https://deck.example.com", "hd_1_secret", " \n")).toBe(plain);
});

test("a script of one's own is a part after the agent's, whatever is in it", () => {
  const own = `#!/bin/bash\r\necho "é ${"x".repeat(300)}"\n--==hopperdeck==\nContent-Type: text/plain\n`;
  const text = launchUserData("https://deck.example.com", "hd_1_secret", own);
  expect(text).toMatch(/^Content-Type: multipart\/mixed; boundary="==hopperdeck=="\nMIME-Version: 1\.0\n\n/);
  const [agent, mine, ...more] = parts(text);
  expect(more).toEqual([]);
  expect(agent?.body).toBe(launchUserData("https://deck.example.com", "hd_1_secret"));
  expect(agent?.head).toMatch(/text\/x-shellscript[\s\S]*filename="01-/);
  expect(mine?.body).toBe(own.replaceAll("\r\n", "\n"));
  expect(mine?.head).toMatch(/text\/x-shellscript[\s\S]*filename="02-/);
  expect(text.split("\n").every((line) => line.length <= 998)).toBe(true);
});

test("a cloud-config keeps its type", () => {
  const text = launchUserData("https://deck.example.com", "t", "#cloud-config\npackages: [htop]\n");
  expect(parts(text)[1]?.head).toContain("text/cloud-config");
});
