import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cloud } from "./cloud";
import type { Faults } from "./faults";
import type { Guests } from "./guests";
import { historyOfKernel, historyOfListings, historyOfSamples } from "./history";
import { type Listening, listen, readBody, sendJson, sendText } from "./http";
import { readLaunch } from "./launch-request";
import { centsPerHourNow } from "./ledger";
import { statusAt } from "./lifecycle";
import { changeMachine, machineSummary } from "./machine-control";
import { nvidiaSmi } from "./nvidia-smi";
import { ApiProblem, problems } from "./problems";
import { hex } from "./random";
import { isRecord, RequestBody } from "./request-body";
import { historyOfWork } from "./runs";
import type { Actor } from "./types";

export type Controls = { cloud: Cloud; faults: Faults; guests: Guests };

type Ask = Controls & { query: URLSearchParams; body: Record<string, unknown>; id: string; response: ServerResponse };
/** Undefined when the answer is already on its way. */
type Answer = (ask: Ask) => unknown;

const consoleActor = (cloud: Cloud): Actor => ({
  lrn: `lrn:cloud:identity:${hex(cloud.state.seed, "console-user")}`,
  apiKeyLrn: null,
});

const PAGED_KEPT = 50;

/** Steers the cloud: its clock, its faults, its machines, its past. On the loopback address, apart from the API. */
export function serveAdmin(controls: Controls, port: number): Promise<Listening> {
  const moveClock = inTurn(async (at: number) => {
    controls.cloud.clock.moveTo(at);
    await controls.guests.tick();
    controls.cloud.changed();
    return { now: controls.cloud.now() };
  });

  const paged: Record<string, unknown>[] = [];
  const answers: Record<string, Answer> = {
    "GET /state": summary,
    "GET /truth": ({ cloud }) => ({ now: cloud.now(), bills: cloud.bills() }),
    "GET /clock": ({ cloud }) => ({ mode: cloud.clock.mode, now: cloud.now() }),
    "POST /clock": ({ body }) => moveClock(instant(body.now, "now")),
    "GET /faults": ({ faults }) => faults.list(),
    "POST /faults": ({ faults, body }) => faults.add(body) ?? refuse("name is not a fault"),
    "DELETE /faults": ({ faults, query }) => {
      faults.clear(query.get("name"));
      return faults.list();
    },
    "POST /launch-outside": ({ cloud, body }) => {
      const machine = cloud.launch(readLaunch(RequestBody.of(body)), consoleActor(cloud));
      return machineSummary(cloud, machine);
    },
    "POST /terminate-outside": ({ cloud, body }) => {
      const [machine] = cloud.terminate([text(body.id, "id")], consoleActor(cloud));
      return machine ? machineSummary(cloud, machine) : refuse("no such machine");
    },
    "POST /prices": ({ cloud, body }) => {
      cloud.setPrice(text(body.type, "type"), whole(body.cents, "cents"));
      return { ok: true };
    },
    "POST /capacity": ({ cloud, body }) => {
      const regions = Array.isArray(body.regions) ? body.regions.filter((one) => typeof one === "string") : [];
      const type = text(body.type, "type");
      cloud.state.capacity[type] = [...(cloud.state.capacity[type] ?? []), { from: cloud.now(), value: regions }];
      cloud.changed();
      return { ok: true };
    },
    // The demo's channel ends here: what comes is answered, and forgotten but for its headline.
    "POST /pager": ({ body }) => {
      const { event, headline, at } = body;
      paged.unshift({ event, headline, at });
      paged.length = Math.min(paged.length, PAGED_KEPT);
      return { ok: true };
    },
    "GET /pager": () => paged,
    "GET /machines/:id": ({ cloud, id }) => {
      const machine = machineOf(cloud, id);
      return { ...machineSummary(cloud, machine), userData: machine.userData, workloads: machine.workloads };
    },
    "GET /machines/:id/nvidia-smi": ({ cloud, id, query, response }) => {
      const at = query.get("at") ? instant(query.get("at"), "at") : cloud.now();
      const printed = nvidiaSmi(machineOf(cloud, id), query.get("args") ?? "", at);
      sendText(response, 200, "text/plain", `${printed.text}#exit ${printed.status}\n`);
    },
    "GET /history/listings": ({ cloud, query, response }) => {
      const { from, to } = range(cloud, query);
      return stream(response, historyOfListings(cloud.state, from, to));
    },
    "GET /history/kernel": ({ cloud, query, response }) => {
      const { from, to } = range(cloud, query);
      return stream(response, historyOfKernel(cloud.state, from, to));
    },
    "GET /history/work": ({ cloud, query, response }) => {
      const { from, to } = range(cloud, query);
      const stepMs = whole(Number(query.get("stepMs") ?? 60_000), "stepMs");
      return stream(response, historyOfWork(cloud.state.machines, from, to, stepMs, cloud.now()));
    },
    "GET /history/samples": ({ cloud, query, response }) => {
      const { from, to } = range(cloud, query);
      const stepMs = whole(Number(query.get("stepMs") ?? 60_000), "stepMs");
      return stream(response, historyOfSamples(cloud.state, from, to, stepMs));
    },
  };
  for (const what of ["workload", "agent", "enrol", "health", "poweroff", "cards"] as const) {
    answers[`POST /machines/:id/${what}`] = ({ cloud, id, body }) => {
      const machine = machineOf(cloud, id);
      changeMachine[what](cloud, machine, body);
      cloud.changed();
      return machineSummary(cloud, machine);
    };
  }

  return listen(port, async (request, response) => {
    try {
      // No page in somebody's browser steers the cloud.
      if (request.headers.origin !== undefined) throw new ApiProblem(403, "global/forbidden", "not from a browser");
      const url = new URL(request.url ?? "/", "http://localhost");
      const [, id = ""] = /^\/machines\/([^/]+)/.exec(url.pathname) ?? [];
      const key = `${request.method} ${url.pathname.replace(/^\/machines\/[^/]+/, "/machines/:id")}`;
      const answer = answers[key];
      if (!answer) throw problems.notFound();
      const result = await answer({ ...controls, query: url.searchParams, body: await read(request), id, response });
      if (result !== undefined) sendJson(response, 200, result);
    } catch (error) {
      if (error instanceof ApiProblem) return sendJson(response, error.status, error.envelope());
      if (error instanceof RangeError || error instanceof SyntaxError) {
        return sendJson(response, 400, problems.invalid(error.message).envelope());
      }
      throw error;
    }
  });
}

function summary({ cloud, faults }: Ask) {
  const now = cloud.now();
  const { machines, prices, seed, startedAt } = cloud.state;
  return {
    now,
    mode: cloud.clock.mode,
    seed,
    startedAt,
    centsPerHour: centsPerHourNow(machines, prices, now),
    faults: faults.list(),
    machines: machines
      .filter((machine) => statusAt(machine, now) !== "terminated")
      .map((machine) => machineSummary(cloud, machine)),
  };
}

/** Runs calls one after the other, so that two clients cannot move the clock through each other. */
function inTurn<A, R>(act: (argument: A) => Promise<R>): (argument: A) => Promise<R> {
  let last: Promise<unknown> = Promise.resolve();
  return (argument) => {
    const turn = last.then(() => act(argument));
    last = turn.catch(() => undefined);
    return turn;
  };
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (request.method !== "POST") return {};
  const sent = await readBody(request, 2_000_000);
  const value: unknown = sent === "" ? {} : JSON.parse(sent);
  return isRecord(value) ? value : refuse("the body must be a JSON object");
}

/** One JSON value per line, as fast as the reader takes them. */
async function stream(response: ServerResponse, lines: Iterable<unknown>): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  function* texts() {
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  await pipeline(Readable.from(texts()), response);
}

function machineOf(cloud: Cloud, id: string) {
  return cloud.state.machines.find((machine) => machine.id === id) ?? refuse("no such machine");
}

function range(cloud: Cloud, query: URLSearchParams): { from: number; to: number } {
  return {
    from: instant(query.get("from"), "from"),
    to: Math.min(cloud.now(), query.get("to") === null ? cloud.now() : instant(query.get("to"), "to")),
  };
}

function refuse(message: string): never {
  throw problems.invalid(message);
}

/** Epoch milliseconds, or an ISO instant. */
function instant(value: unknown, name: string): number {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value));
  const at = isNumber ? Number(value) : Date.parse(String(value));
  return Number.isSafeInteger(at) ? at : refuse(`${name} must be an instant`);
}

const text = (value: unknown, name: string): string =>
  typeof value === "string" ? value : refuse(`${name} must be a text`);

const whole = (value: unknown, name: string): number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    ? value
    : refuse(`${name} must be a whole number`);
