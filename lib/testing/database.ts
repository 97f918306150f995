import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { forgetEnv } from "@/lib/env";
import { unstubEnv } from "./env";

/* Before each file of database tests: a database of its own, made from the template, gone at the end. */

const server = inject("databaseServer");
const name = `test_${randomBytes(6).toString("hex")}`;

async function tell(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement);
  await client.end();
}

await tell(`create database ${name} template ${inject("databaseTemplate")}`);
const url = new URL(server);
url.pathname = `/${name}`;
Object.assign(process.env, {
  DATABASE_URL: url.href,
  AUTH_SECRET: randomBytes(32).toString("hex"),
  SECRETS_KEY: randomBytes(32).toString("hex"),
});
forgetEnv();

afterAll(async () => {
  const { disconnect } = await import("@/lib/db/client");
  await disconnect();
  unstubEnv();
  await tell(`drop database if exists ${name} with (force)`);
});
