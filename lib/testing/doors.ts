import { readdirSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";
import type { Permission } from "@/lib/domain/access";
import type { ApiDoor } from "@/lib/web/api-door";
import { API_DOORS } from "@/lib/web/api-doors";
import { ACTION_DOORS, type ListedDoor, ROUTE_NOTES } from "@/lib/web/doors-table";
import { sampleOf } from "./sample";

/* Finds every action and every route, so that each can be called as anybody. */

export const ORIGIN = "http://localhost:3000";

export type Caller = { sid?: string; cookie?: string; bearer?: string; origin?: string | null; site?: string | null };
export type Action = ((
  input: unknown,
) => Promise<{ ok: boolean; error?: { code: string; message: string; fields: object } }>) & {
  schema: z.ZodType;
};
export type Answer = { code: string; isStepUp: boolean };

export function below(folder: string, name: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return below(file, name);
    return entry.name === name ? [path.posix.dirname(file)] : [];
  });
}

export const full = (door: ListedDoor) => (typeof door === "string" ? { right: door } : door);
export const rightOf = (door: ListedDoor): Permission => {
  const { right } = full(door);
  return right === "own" ? "fleet:read" : right;
};

export type Door = {
  name: string;
  listed: ListedDoor;
  call: (caller: Caller, more?: object) => Promise<Answer>;
  isRead: boolean;
};

export const plainNames = (folder: string) => folder.replace(/^app\//, "").replace(/^\(dashboard\)\//, "");
export const actionFolders = below("app", "actions.ts");

export async function actionsIn(folder: string): Promise<[string, Action][]> {
  const found: Record<string, Action> = await import(path.resolve(folder, "actions.ts"));
  return Object.entries(found);
}

export async function tell(action: Action, input: unknown): Promise<Answer> {
  const result = await action(input);
  const fields = result.error?.fields ?? {};
  const isOurs = /reference \w+\.$/.test(result.error?.message ?? "");
  const code = isOurs ? "internal" : (result.error?.code ?? "none");
  return { code: result.ok ? "ok" : code, isStepUp: "stepUp" in fields };
}

/** Lets a request come from somebody; returns its headers. */
export type Come = (caller: Caller) => Promise<Headers>;

/** Every action and every route that is listed, each to be called with what its schema allows. */
export async function openDoors(come: Come): Promise<{ actionDoors: Door[]; routeDoors: Door[] }> {
  const actionDoors: Door[] = [];
  const routeDoors: Door[] = [];
  for (const folder of actionFolders) {
    const listed = ACTION_DOORS[plainNames(folder)];
    if (!listed) continue;
    for (const [name, action] of await actionsIn(folder)) {
      const door = listed[name];
      if (!door) continue;
      const given = full(door).input ?? {};
      let input: object | undefined;
      actionDoors.push({
        name: `${plainNames(folder)} ${name}`,
        listed: door,
        isRead: false,
        call: async (caller, more = {}) => {
          input ??= sampleOf(action.schema, given);
          await come(caller);
          return tell(action, { ...input, ...more });
        },
      });
    }
  }
  for (const door of API_DOORS)
    if (door.right !== "open" && door.right !== "ingest") routeDoors.push(routeDoor(door, come));
  return { actionDoors, routeDoors };
}

function routeDoor(door: ApiDoor, come: Come): Door {
  const name = `${door.method.toUpperCase()} ${door.path}`;
  const note = ROUTE_NOTES[name];
  const listed: ListedDoor = note ?? (door.right as Permission);
  let url: string | undefined;
  let body: string | undefined;
  let params: Record<string, string> = {};
  const fill = () => {
    const schema = Object.values(door.question ?? {})[0];
    const sample = schema ? sampleOf(schema, full(listed).input ?? {}) : {};
    const names = [...door.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    params = Object.fromEntries(names.map((one) => [one, String(sample[one] ?? "x")]));
    const rest = Object.entries(sample).filter(([one]) => !names.includes(one));
    const query = new URLSearchParams(rest.map(([one, value]) => [one, String(value)]));
    url = `${ORIGIN}${door.path.replaceAll(/\{(\w+)\}/g, (_, one) => params[one] ?? "")}${door.method === "get" ? `?${query}` : ""}`;
    if (door.method === "post") body = JSON.stringify(Object.fromEntries(rest));
  };
  return {
    name,
    listed,
    isRead: door.method === "get",
    call: async (caller) => {
      if (!url) fill();
      const headers = await come(caller);
      const handler = await handlerOf(door.path, door.method);
      const init = { method: door.method.toUpperCase(), headers, ...(body !== undefined && { body }) };
      const response = await handler(new Request(url ?? "", init), { params: Promise.resolve(params) });
      return told(response);
    },
  };
}

type Handler = (request: Request, context: { params: Promise<object> }) => Promise<Response>;

export async function handlerOf(address: string, method: string): Promise<Handler> {
  const file = path.resolve(`app${address.replaceAll("{", "[").replaceAll("}", "]")}/route.ts`);
  const found: Record<string, Handler> = await import(file);
  const handler = found[method.toUpperCase()];
  if (!handler) throw new Error(`${address} has no ${method}`);
  return handler;
}

export async function told(response: Response): Promise<Answer> {
  if (response.ok || response.status === 304) {
    await response.body?.cancel();
    return { code: "ok", isStepUp: false };
  }
  const { error } = (await response.json()) as { error: { code: string; fields?: object } };
  return { code: error.code, isStepUp: "stepUp" in (error.fields ?? {}) };
}
