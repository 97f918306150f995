import { randomUUID } from "node:crypto";
import { insertDeploy, isDeployMarked } from "@/lib/db/events";
import { mutate } from "@/lib/db/mutate";
import { findPlaces, listPlacesOfTeam } from "@/lib/db/workload/runs";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { MarkedDeploy, NewDeploy } from "@/lib/domain/events/deploy";
import { AppError } from "@/lib/errors";

/** Clocks differ; beyond this a deploy would not have happened yet. */
const AHEAD_MS = 60_000;

type Place = MarkedDeploy["instances"][number];

/** Puts a deploy on the time axes of the instances that it concerns, or of all. */
export async function markDeploy(ctx: Ctx, input: NewDeploy): Promise<MarkedDeploy> {
  authorize(ctx, "deploy:write");
  const { name, url = null, team } = input;
  const id = input.id || randomUUID();
  const at = input.at ?? ctx.now.getTime();
  if (at > ctx.now.getTime() + AHEAD_MS)
    throw new AppError("invalid", "A mark tells what has happened; this time lies ahead. It was not kept.", {
      at: "Choose a time that has passed",
    });
  if (await isDeployMarked(id)) return { id, outcome: "known", instances: [] };
  const instances = await placesOf(input);
  const by = ctx.actor.name;
  return mutate(ctx, "deploy:write", async (tx) => {
    const resourceIds = instances.map((one) => one.id);
    const isNew = await insertDeploy(tx, { id, at, name, by, url, resourceIds }, ctx.now);
    return {
      action: "deploy.marked" as const,
      subjectKind: "deploy",
      subjectId: id,
      subject: name,
      after: { at: new Date(at).toISOString(), url, team, instances: instances.map((one) => one.name) },
      result: { id, outcome: isNew ? ("marked" as const) : ("known" as const), instances },
    };
  });
}

async function placesOf({ instances, team }: NewDeploy): Promise<Place[]> {
  const found = new Map<string, string>();
  for (const [i, said] of instances.entries()) {
    const [place, ...others] = await findPlaces(said);
    const why = !place ? "means no instance here" : others.length > 0 ? "means several instances; give the id" : null;
    if (!place || why !== null)
      throw new AppError("invalid", `instances.${i} ${why}. Nothing was marked.`, { [`instances.${i}`]: why ?? "" });
    found.set(place.id, place.name);
  }
  if (team !== "") {
    const own = await listPlacesOfTeam(team);
    if (own.length === 0 && found.size === 0)
      throw new AppError("invalid", `The team ${team} has no instance now. Nothing was marked.`, {
        team: "has no instance now",
      });
    for (const { id, name } of own) found.set(id, name);
  }
  return [...found].map(([id, name]) => ({ id, name }));
}
