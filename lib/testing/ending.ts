import { randomUUID } from "node:crypto";
import { prisma } from "@/lib/db/client";
import type { Ctx, Role } from "@/lib/domain/access";
import { by, MINUTE, machine, measure, NOON, person, type TestMachine } from "./alerting";
import { makeToken } from "./senders";

/* Machines that somebody wants to end. */

export const who = async (name: string, role: Role, at = NOON): Promise<Ctx> => by(await person(name, role), at);

/** A machine of ours whose GPU does next to nothing. */
export async function idle(name = "gh-1"): Promise<TestMachine> {
  const gh = await machine(name);
  await own(gh);
  for (let ago = 9 * MINUTE; ago > 0; ago -= MINUTE) await measure(gh, NOON - ago, { utilizationPct: 1 });
  await measure(gh, NOON - 20_000, { utilizationPct: 1 });
  await hear(gh);
  return gh;
}

/** A launch from here made it. */
export async function own({ resourceId }: TestMachine): Promise<void> {
  const { id: connectionId } = await prisma.connection.findFirstOrThrow();
  const id = randomUUID();
  const at = new Date(NOON - 60 * MINUTE);
  await prisma.intent.create({
    data: {
      id,
      token: id,
      kind: "launch",
      state: "confirmed",
      connectionId,
      request: {},
      planHash: new Uint8Array(32),
      requestedBy: "Ada",
      createdAt: at,
      sentAt: at,
      settledAt: at,
      acceptedAt: at,
      sends: 1,
    },
  });
  await prisma.resource.update({ where: { id: resourceId }, data: { launchIntentId: id } });
}

/** Its agent is at work. */
export async function hear({ resourceId, name }: TestMachine): Promise<void> {
  const { token } = await makeToken("ingest", NOON);
  const heard = { firstSeenAt: new Date(NOON - 60 * MINUTE), lastReceivedAt: new Date(NOON) };
  await prisma.telemetrySource.create({ data: { tokenId: token.id, hostname: name, resourceId, ...heard } });
}
