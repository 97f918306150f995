import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkedUrl, isAllowedAddress, OutboundError, postJson } from "./outbound";

describe("addresses", () => {
  test.each([
    ["93.184.216.34", true],
    ["2606:2800:220:1:248:1893:25c8:1946", true],
    ["127.0.0.1", false],
    ["10.0.0.1", false],
    ["172.16.3.4", false],
    ["192.168.1.1", false],
    ["169.254.169.254", false],
    ["100.100.100.200", false],
    ["192.0.0.192", false],
    ["198.18.0.1", false],
    ["0.0.0.0", false],
    ["::", false],
    ["::1", false],
    ["::ffff:169.254.169.254", false],
    ["64:ff9b::a9fe:a9fe", false],
    ["2002:a9fe:a9fe::", false],
    ["fd00:ec2::254", false],
    ["fe80::1", false],
    ["not an address", false],
  ])("%s may be called: %s", (address, isAllowed) => {
    expect(isAllowedAddress(address, [])).toBe(isAllowed);
  });

  test("an allowed network lets in its own addresses and no others", () => {
    expect(isAllowedAddress("10.1.2.3", ["10.1.0.0/16"])).toBe(true);
    expect(isAllowedAddress("10.2.2.3", ["10.1.0.0/16"])).toBe(false);
    expect(isAllowedAddress("::1", ["10.1.0.0/16"])).toBe(false);
  });

  test.each([
    "http://0x7f.1/",
    "http://2852039166/",
    "http://0251.0376.0251.0376/",
    "http://①⑥⑨.254.169.254/",
    "http://169.254.169.254./",
    "http://[::ffff:169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://user@10.0.0.1:80#@ok.example/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "http://example.com:22/",
    "no address at all",
  ])("%s is refused before anything is called", (url) => {
    expect(() => checkedUrl(url, [])).toThrow(OutboundError);
  });

  test("a public address with a name is taken", () => {
    expect(checkedUrl("https://hooks.example.com/a/b", []).hostname).toBe("hooks.example.com");
  });
});

describe("calls", () => {
  let server: Server;
  let port: number;
  const seen: { url: string; body: string; key: string }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += chunk));
      request.on("end", () => {
        seen.push({ url: request.url ?? "", body, key: String(request.headers["idempotency-key"]) });
        if (request.url === "/redirect") response.writeHead(302, { location: "http://169.254.169.254/" }).end();
        else if (request.url === "/slow-down") response.writeHead(429, { "retry-after": "7" }).end("x".repeat(100_000));
        else response.writeHead(200).end("ok");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const allowedCidrs = ["127.0.0.0/8"];
  const call = (path: string, addresses: string[], cidrs: string[] = allowedCidrs) =>
    postJson(
      `http://hook.example:${port}${path}`,
      { a: 1 },
      { "idempotency-key": "k" },
      { allowedCidrs: cidrs, resolve: async () => addresses },
    );

  test("the body and the key arrive; the connection goes to the address that was checked", async () => {
    expect(await call("/ok", ["127.0.0.1"])).toMatchObject({ statusCode: 200, body: "ok" });
    expect(seen.at(-1)).toEqual({ url: "/ok", body: '{"a":1}', key: "k" });
  });

  test("a name that leads inside, or both inside and outside, is not called", async () => {
    const before = seen.length;
    await expect(call("/ok", ["10.0.0.5"])).rejects.toThrow(/private or reserved/);
    await expect(call("/ok", ["127.0.0.1", "169.254.169.254"])).rejects.toThrow(/private or reserved/);
    expect(seen).toHaveLength(before);
  });

  test("redirects are answers, not orders; long answers are cut", async () => {
    expect(await call("/redirect", ["127.0.0.1"])).toMatchObject({ statusCode: 302 });
    const slow = await call("/slow-down", ["127.0.0.1"]);
    expect(slow).toMatchObject({ statusCode: 429, retryAfterMs: 7_000 });
    expect(slow.body.length).toBeLessThanOrEqual(16 * 1024);
  });
});
