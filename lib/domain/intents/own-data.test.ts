import { describe, expect, test } from "vitest";
import { ownDataProblem, ownDataType } from "./own-data";

describe("start-up data of one's own", () => {
  test.each([
    ["#!/bin/bash\necho hi", "text/x-shellscript"],
    ["#cloud-config\npackages: [htop]", "text/cloud-config"],
    ["#cloud-config\r\npackages: [htop]", "text/cloud-config"],
  ])("%j is %s", (text, type) => {
    expect(ownDataProblem(text)).toBeNull();
    expect(ownDataType(text)?.type).toBe(type);
  });
  test.each(["echo hi", "Content-Type: multipart/mixed", "#include\nhttps://example.com", " #!/bin/sh", "#!/bin/sh\0"])(
    "not %j",
    (text) => expect(ownDataProblem(text)).not.toBeNull(),
  );
  test("of at most 64 KiB, counted in bytes", () => {
    const least = "#!\n";
    expect(ownDataProblem(least + "x".repeat(64 * 1024 - 3))).toBeNull();
    expect(ownDataProblem(`${least + "x".repeat(64 * 1024 - 4)}é`)).toMatch(/64 KiB/);
    expect(ownDataProblem("  \n")).toBeNull();
  });
});
