import type { z } from "zod";
import type { Permission } from "@/lib/domain/access";
import { type AnswerShape, shape } from "./answer-shape";

/** What a route takes beside JSON that a schema checks. */
export type RawBody = { types: readonly string[]; about: string; schema?: z.ZodType };

export type ApiDoor = {
  /** Path parameters in braces, as OpenAPI writes them. */
  path: `/api/v1/${string}`;
  method: "get" | "post";
  summary: string;
  /** The schema that checks path, query or body, under its own name; absent: nothing is asked. */
  question?: Readonly<Record<string, z.ZodType>>;
  /** A body that the route reads by itself. */
  body?: RawBody;
  /** A schema where there is one; else what stands at the top of the answer, which the compiler checks; or another type. */
  answer: z.ZodType | AnswerShape | { type: string; about: string };
  /** `ingest`: a token that may write telemetry. `open`: nobody is asked. */
  right: Permission | "ingest" | "open";
  /** Carries a tag and answers 304. */
  isTagged?: boolean;
  /** Where it is not 201 for an act and 200 for the rest. */
  status?: number;
};

const made = shape<{ id: string }>({ id: "string" });
export const csvFile = { type: "text/csv", about: "One line per row of the ledger, with a header." };

type Read = Omit<ApiDoor, "method" | "path" | "summary" | "right"> & { right?: ApiDoor["right"] };

export function read(path: ApiDoor["path"], summary: string, { right = "fleet:read", ...rest }: Read): ApiDoor {
  return { path, method: "get", summary, right, ...rest };
}

export function act(
  path: ApiDoor["path"],
  summary: string,
  right: ApiDoor["right"],
  question: NonNullable<ApiDoor["question"]>,
): ApiDoor {
  return { path, method: "post", summary, right, question, answer: made };
}
