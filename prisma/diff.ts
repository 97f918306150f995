/**
 * `npm run db:diff`: the SQL that leads from the live database (or, with `--empty`, from nothing) to schema.prisma.
 * Prisma's schema engine runs here as WebAssembly, so nothing is downloaded. The SQL goes into a new migration by hand.
 */
import { readFileSync } from "node:fs";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import { EXTERNAL_TABLES } from "../prisma.config";

const CHAR_OID = 18;
const TEXT_OID = 25;

type Field = { dataTypeID: number };
type RawQuery = { sql: string; args: unknown[]; argTypes: unknown[] };
type Driver = { query(sql: string): Promise<unknown> };
type Adapter = {
  executeScript(script: string): Promise<void>;
  queryRaw(query: RawQuery): Promise<{ columnTypes: number[] }>;
  performIO(query: RawQuery): Promise<{ fields: Field[] }>;
  underlyingDriver(): Driver;
};

/** The engine reads pg_constraint, whose one-byte "char" columns the adapter does not know. */
class EngineAdapter extends PrismaPg {
  override async connect() {
    const connected = await super.connect();
    const adapter = connected as unknown as Adapter;
    adapter.executeScript = async (script: string) => {
      await adapter.underlyingDriver().query(script);
    };
    const performIO = adapter.performIO.bind(adapter);
    adapter.queryRaw = async (query) => {
      let chars: number[] = [];
      const once = Object.assign(Object.create(adapter), {
        performIO: async (q: RawQuery) => {
          const result = await performIO(q);
          chars = result.fields.flatMap((field, i) => (field.dataTypeID === CHAR_OID ? [i] : []));
          const fields = result.fields.map((f) => (f.dataTypeID === CHAR_OID ? { ...f, dataTypeID: TEXT_OID } : f));
          return { ...result, fields };
        },
      });
      const answer = await Object.getPrototypeOf(adapter).queryRaw.call(once, query);
      for (const i of chars) answer.columnTypes[i] = ColumnTypeEnum.Character;
      return answer;
    };
    return connected;
  }
}

const url = process.env.DATABASE_URL ?? "postgresql://localhost/none";
const content = readFileSync("prisma/schema.prisma", "utf8");
const files = [{ path: "schema.prisma", content }];

const engineFolder = `${process.cwd()}/node_modules/@prisma/schema-engine-wasm`;
const bg = await import(`${engineFolder}/schema_engine_bg.js`);
const wasm = readFileSync(`${engineFolder}/schema_engine_bg.wasm`);
const { instance } = await WebAssembly.instantiate(wasm, { "./schema_engine_bg.js": bg });
bg.__wbg_set_wasm(instance.exports);
(instance.exports.__wbindgen_start as () => void)();
const engine = await bg.SchemaEngine.new(
  { datamodels: [["schema.prisma", content]] },
  () => {},
  bindMigrationAwareSqlAdapterFactory(new EngineAdapter({ connectionString: url })),
);

const { stdout } = await engine.diff({
  from: process.argv.includes("--empty")
    ? { tag: "empty" }
    : { tag: "schemaDatasource", files, configDir: process.cwd() },
  to: { tag: "schemaDatamodel", files },
  script: true,
  exitCode: null,
  filters: { externalTables: EXTERNAL_TABLES, externalEnums: [] },
  shadowDatabaseUrl: null,
});
process.stdout.write(stdout ?? "");
process.exit(0);
