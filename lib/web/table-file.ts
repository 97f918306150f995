import "server-only";
import { z } from "zod";
import type { Ctx } from "@/lib/domain/access";
import { csvParts, type TableFile } from "@/lib/domain/table";
import { streamOf } from "./download";
import { answer } from "./route";
import { requestCtx } from "./session";
import { workbook } from "./workbook";

type Context = { params: Promise<Record<string, string | string[] | undefined>> };
type Handler = (request: Request, context: Context) => Promise<Response>;

const TYPES = {
  csv: "text/csv; charset=utf-8; header=present",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};
const Format = z.object({ format: z.enum(["csv", "xlsx"], { error: "is not csv or xlsx" }).default("csv") });

/** A table as a file: CSV where nothing else is asked (`format=xlsx`), with the same rights as in the browser. */
export function table<S extends z.ZodType>(
  schema: S,
  verb: (ctx: Ctx, question: z.output<S>) => Promise<TableFile>,
): Handler {
  return (request, context) =>
    answer(async () => {
      const ctx = await requestCtx(request);
      const { format, ...asked } = Object.fromEntries(new URL(request.url).searchParams);
      const { format: kind } = Format.parse({ format });
      const question = schema.parse({ ...asked, ...(await context.params) });
      const file = await verb(ctx, question);
      const body = kind === "csv" ? streamOf(csvParts(file)) : await workbook(file);
      return new Response(body, {
        headers: {
          "content-type": TYPES[kind],
          "content-disposition": `attachment; filename="${file.name}.${kind}"`,
          "cache-control": "private, no-store",
          "x-content-type-options": "nosniff",
          "x-data-revision": file.revision,
        },
      });
    });
}

/** The same address as a file, for `?format=csv` and `?format=xlsx`. */
export function orTable<S extends z.ZodType>(
  asJson: Handler,
  schema: S,
  verb: (ctx: Ctx, question: z.output<S>) => Promise<TableFile>,
): Handler {
  const asFile = table(schema, verb);
  return (request, context) => {
    const format = new URL(request.url).searchParams.get("format");
    return format === null || format === "json" ? asJson(request, context) : asFile(request, context);
  };
}
