import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OutboundError } from "@/lib/integrations/outbound";
import { type Credential, checkedTarget, fetchPage } from "./fetch";

const PAGE = 'DCGM_FI_DEV_GPU_UTIL{gpu="0"} 5\n';
const GZIP = { "content-encoding": "gzip" };

const PAGES: Record<string, RequestListener> = {
  "/plain": (_, response) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(PAGE),
  "/zipped": (_, response) => response.writeHead(200, GZIP).end(gzipSync(PAGE)),
  "/openmetrics": (_, response) =>
    response.writeHead(200, { "content-type": "application/openmetrics-text; version=1.0.0" }).end(`${PAGE}# EOF\n`),
  "/who": (request, response) => response.writeHead(200).end(`# ${request.headers.authorization}`),
  "/redirect": (_, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
  "/missing": (_, response) => response.writeHead(404).end(),
  "/protobuf": (_, response) => response.writeHead(200, { "content-type": "application/vnd.google.protobuf" }).end(),
  "/brotli": (_, response) => response.writeHead(200, { "content-encoding": "br" }).end("x"),
  "/latin": (_, response) => response.writeHead(200).end(Buffer.from([0x61, 0xe4, 0x0a])),
  "/no-gzip": (_, response) => response.writeHead(200, GZIP).end(PAGE),
  "/cut-gzip": (_, response) => response.writeHead(200, GZIP).end(gzipSync(PAGE.repeat(100)).subarray(0, 40)),
  "/bomb": (_, response) => response.writeHead(200, GZIP).end(gzipSync(Buffer.alloc(100 * 1024 * 1024))),
  "/large": (_, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(1024 * 1024, "#");
    const send = (left: number) => {
      if (left === 0 || response.destroyed) response.end();
      else response.write(chunk, () => send(left - 1));
    };
    send(20);
  },
  "/drips": (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write("# \n"), 20);
    response.once("close", () => clearInterval(drip));
  },
  "/broken-off": (_, response) => {
    response.writeHead(200, { "content-length": "1000" }).write(PAGE);
    setTimeout(() => response.destroy(), 50);
  },
};

describe("a page is fetched", () => {
  let server: Server;
  let port: number;
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? "");
      PAGES[request.url ?? ""]?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const get = (path: string, credential: Credential | null = null, addresses = ["127.0.0.1"]) =>
    fetchPage(`http://gpu.example:${port}${path}`, credential, {
      allowedCidrs: ["127.0.0.0/8"],
      resolve: async () => addresses,
      deadlineMs: 2_000,
    });

  test.each([
    ["/plain", PAGE, "text"],
    ["/zipped", PAGE, "text"],
    ["/openmetrics", `${PAGE}# EOF\n`, "openmetrics"],
  ])("%s", async (path, text, format) => {
    expect(await get(path)).toEqual({ text, format });
  });

  test.each<[Credential, string]>([
    [{ kind: "bearer", secret: "abc" }, "# Bearer abc"],
    [{ kind: "basic", secret: "a:b" }, "# Basic YTpi"],
  ])("with what is to be sent along: %j", async (credential, text) => {
    expect((await get("/who", credential)).text).toBe(text);
  });

  test.each([
    ["/redirect", /answered 302 \(it points elsewhere/],
    ["/missing", /answered 404\./],
    ["/protobuf", /protobuf/],
    ["/brotli", /comes as br/],
    ["/latin", /not UTF-8/],
    ["/no-gzip", /not the gzip/],
    ["/cut-gzip", /gzip breaks off/],
    ["/bomb", /200-fold|larger than 4 MiB/],
    ["/large", /larger than 4 MiB/],
    ["/broken-off", /broke off/],
    ["/drips", /in time/],
  ])("%s is refused", async (path, why) => {
    await expect(get(path)).rejects.toThrow(why);
    await expect(get(path)).rejects.toThrow(OutboundError);
  });

  test("a port where nobody listens says so", async () => {
    const elsewhere = fetchPage("http://gpu.example:1025/", null, {
      allowedCidrs: ["127.0.0.0/8"],
      resolve: async () => ["127.0.0.1"],
    });
    await expect(elsewhere).rejects.toThrow(/nothing listens there/);
  });

  test("a name that leads inside, in part or whole, is not asked", async () => {
    const before = asked.length;
    await expect(get("/plain", null, ["10.0.0.5"])).rejects.toThrow(/private or reserved/);
    await expect(get("/plain", null, ["127.0.0.1", "169.254.169.254"])).rejects.toThrow(/private or reserved/);
    await expect(get("/plain", null, [])).rejects.toThrow(/has no address/);
    expect(asked).toHaveLength(before);
  });
});

describe("an address", () => {
  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://[::ffff:169.254.169.254]/",
  ])("%s is never called, whatever is allowed", (url) => {
    const all = ["0.0.0.0/0", "169.254.0.0/16", "::/0", "fd00::/8"];
    expect(() => checkedTarget(url, all)).toThrow(OutboundError);
  });

  test.each([
    ["http://10.19.60.10:9400/metrics", ["10.0.0.0/8"], true],
    ["http://10.19.60.10:9400/metrics", [], false],
    ["http://gpu.example.com:9400/metrics", [], true],
    ["http://gpu.example.com:22/", [], false],
    ["http://gpu.example.com:25/", ["10.0.0.0/8"], false],
    ["http://127.0.0.1:9400/metrics", ["10.0.0.0/8"], false],
    ["http://u:p@gpu.example.com:9400/metrics", [], false],
    ["file:///etc/passwd", [], false],
  ])("%s, with %j allowed: %s", (url, cidrs, isFine) => {
    const check = () => checkedTarget(url, cidrs);
    if (isFine) expect(check().href).toBe(url);
    else expect(check).toThrow(OutboundError);
  });
});
