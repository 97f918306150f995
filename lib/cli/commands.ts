export type Command = { about: string; lines: string[]; run: (given: string[]) => Promise<number> };

/** Each command loads its own code: those that need no database must start without one. */
export const commands: Record<string, Command> = {
  user: {
    about: "accounts",
    lines: [
      "user list",
      "user invite --role ROLE",
      "user password EMAIL",
      "user role EMAIL ROLE",
      "user disable EMAIL",
      "user break-glass EMAIL",
      "user first-link",
    ],
    run: async (given) => (await import("./user")).user(given),
  },
  token: {
    about: "credentials of agents and programs",
    lines: [
      "token list",
      "token create ingest --name NAME",
      "token create api --name NAME --role ROLE [--scopes RIGHT,RIGHT]",
      "token revoke ID",
    ],
    run: async (given) => (await import("./token")).token(given),
  },
  parse: {
    about: "what any print of nvidia-smi, kernel log or metrics page says, as JSON",
    lines: ["parse FILE|-"],
    run: async (given) => (await import("./parse")).parse(given),
  },
  audit: {
    about: "whether the audit trail, in a file or in the database, is whole",
    lines: ["audit verify [FILE] [--head HASH]"],
    run: async (given) => (await import("./audit")).audit(given),
  },
  cost: {
    about: "worked cost cases, calculated by this product; a month’s close",
    lines: ["cost check FILE|-", "cost close YYYY-MM [--yes]", "cost recompute [--month YYYY-MM]"],
    run: async (given) => (await import("./cost")).cost(given),
  },
  export: {
    about: "a month as a FOCUS file, with what belongs beside it",
    lines: ["export focus --month YYYY-MM [--version 1.2|1.4] [--out FILE]"],
    run: async (given) => (await import("./export")).exportFile(given),
  },
  alerts: {
    about: "rule tests of promtool, and recorded traces, by the product's own evaluator",
    lines: ["alerts test FILE [--semantics product]", "alerts cases FILE [--semantics product]"],
    run: async (given) => (await import("./alerts")).alerts(given),
  },
  doctor: {
    about: "what is set up, and what is wrong",
    lines: ["doctor"],
    run: async () => (await import("./doctor")).doctor(),
  },
  backup: {
    about: "write everything that exists nowhere else into one file",
    lines: ["backup FILE [--samples]"],
    run: async (given) => (await import("./backup")).backup(given),
  },
  restore: {
    about: "load a backup into an empty database",
    lines: ["restore FILE"],
    run: async (given) => (await import("./backup")).restoreFrom(given),
  },
  demo: {
    about: "the demo fleet",
    lines: ["demo seed"],
    run: async (given) => (await import("./demo")).demo(given),
  },
};

export function usage(): string {
  const lines = Object.values(commands).flatMap(({ about, lines: own }) =>
    own.map((line, i) => `  hopperdeck ${line.padEnd(44)}${i === 0 ? about : ""}`.trimEnd()),
  );
  return ["Usage:", ...lines].join("\n");
}
