import { rmSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { listMigrations, migrate } from "@/lib/db/migrate";
import { startTestServer } from "./server";

declare module "vitest" {
  export interface ProvidedContext {
    databaseServer: string;
    databaseTemplate: string;
  }
}

/** Once per run: a PostgreSQL server (TEST_DATABASE_SERVER, else one of our own) with a migrated template in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer();
  const name = `hopperdeck_test_template_${project.name.replace("-", "_")}`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name} template template0 encoding 'UTF8' locale 'C'`);
  await client.end();
  const template = new URL(server.url);
  template.pathname = `/${name}`;
  await migrate(template.href, listMigrations(path.join(project.config.root, "prisma/migrations")));
  project.provide("databaseServer", server.url);
  project.provide("databaseTemplate", name);
  return async () => {
    await server.stop();
    if (server.folder) rmSync(server.folder, { recursive: true, force: true });
  };
}
