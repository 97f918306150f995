import { describe, expect, test } from "vitest";
import { hasTag, tagged, tagOf } from "./conditional";

const ask = (tag?: string) =>
  new Request("http://localhost/api/v1/series", { headers: tag === undefined ? {} : { "if-none-match": tag } });

describe("an answer with a tag", () => {
  test("has a strong tag that changes with the content alone", () => {
    expect(tagOf("a")).toMatch(/^"[\w-]{22}"$/);
    expect(tagOf("a")).toBe(tagOf("a"));
    expect(tagOf("a")).not.toBe(tagOf("b"));
  });

  test("comes without a body to whoever has it", async () => {
    const first = tagged(ask(), "[1]", false);
    const etag = first.headers.get("etag") ?? "";
    expect([first.status, await first.text()]).toEqual([200, "[1]"]);
    const second = tagged(ask(etag), "[1]", false);
    expect([second.status, await second.text()]).toEqual([304, ""]);
    expect(second.headers.get("etag")).toBe(etag);
    expect(tagged(ask(etag), "[2]", false).status).toBe(200);
  });

  test("is kept by a browser alone, and without asking only when it is settled", () => {
    expect(tagged(ask(), "[]", false).headers.get("cache-control")).toBe("private, no-cache");
    expect(tagged(ask(), "[]", true).headers.get("cache-control")).toBe("private, max-age=86400, immutable");
  });

  test.each([
    ['"x"', true],
    ['W/"x"', true],
    ['"a", "x"', true],
    ["*", true],
    ['"y"', false],
    ["x", false],
    ["", false],
  ])("If-None-Match: %s", (given, expected) => {
    expect(hasTag(ask(given), '"x"')).toBe(expected);
  });
});
