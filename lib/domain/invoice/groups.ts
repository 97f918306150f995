import type { BilledResource, InvoiceLine, LedgerFact } from "./types";

/** Lines and resources that belong together: what is compared as one. */
export type Group = {
  /** What it is called for good: the resource where it is one, else what the lines say. */
  key: string;
  label: string;
  lines: InvoiceLine[];
  resources: BilledResource[];
  facts: LedgerFact[];
};

type Input = {
  fromDay: string;
  toDay: string;
  lines: readonly InvoiceLine[];
  ledger: readonly LedgerFact[];
  resources: readonly BilledResource[];
};

/** Lines to resources, by id, else by name, else by type, region and days; what is left stands alone. */
export function groupsOf(input: Input): Group[] {
  const lines = input.lines.filter(({ charge }) => charge === "usage" || charge === "storage");
  const index = indexOf(input);
  const join = new Joined();
  for (const id of index.days.keys()) join.add(`R${id}`);
  for (const line of lines) join.add(`L${line.line}`);

  const pooled: InvoiceLine[] = [];
  const claimed = new Set<string>();
  for (const line of lines) {
    const named = resourcesNamed(line, index, input);
    if (named === null) pooled.push(line);
    else if (named.length === 0) join.unite(`L${line.line}`, `N${line.charge}/${(line.resource ?? "").toLowerCase()}`);
    for (const id of named ?? []) {
      claimed.add(id);
      join.unite(`L${line.line}`, `R${id}`);
    }
  }
  const free = input.resources.filter(({ id }) => index.days.has(id) && !claimed.has(id));
  for (const line of pooled) {
    const pool = poolOf(line, index);
    const isNew = !join.has(pool.key);
    join.unite(`L${line.line}`, pool.key);
    for (const one of isNew ? free : []) if (pool.holds(one)) join.unite(pool.key, `R${one.id}`);
  }
  return collect(join, lines, input);
}

type Names = { byId: Map<string, string>; byName: Map<string, string[]>; ids: string[] };
type Index = {
  instance: Names;
  filesystem: Names;
  types: ReadonlySet<string>;
  regions: ReadonlySet<string>;
  /** The days on which a resource cost something. */
  days: ReadonlyMap<string, ReadonlySet<string>>;
};

function indexOf({ resources, ledger }: Input): Index {
  const names = (kind: BilledResource["kind"]): Names => {
    const own = resources.filter((one) => one.kind === kind);
    const byName = new Map<string, string[]>();
    for (const { id, names: called } of own)
      for (const name of new Set(called.map((one) => one.toLowerCase())))
        byName.set(name, [...(byName.get(name) ?? []), id]);
    const byId = new Map(own.map(({ id, externalId }) => [externalId.toLowerCase(), id]));
    return { byId, byName, ids: [...byId.keys()].sort() };
  };
  const days = new Map<string, Set<string>>();
  for (const { resourceId, day } of ledger)
    if (resourceId !== null) days.set(resourceId, (days.get(resourceId) ?? new Set()).add(day));
  return {
    instance: names("instance"),
    filesystem: names("filesystem"),
    types: new Set(resources.flatMap(({ typeName }) => typeName?.toLowerCase() ?? [])),
    regions: new Set(resources.flatMap(({ region }) => region?.toLowerCase() ?? [])),
    days,
  };
}

const kindOf = ({ charge }: InvoiceLine) => (charge === "storage" ? "filesystem" : "instance");
const wordsOf = (text: string) => [...new Set(text.toLowerCase().split(/[\s,;:()[\]"'|]+/))];

/** The resources that a line names; null: it names none. Empty: one that nobody here has seen. */
function resourcesNamed(line: InvoiceLine, index: Index, input: Input): string[] | null {
  const known = index[kindOf(line)];
  if (line.resource) return idsFor(line.resource.trim().toLowerCase(), line, index, input);
  const words = wordsOf(line.description);
  const byId = words.flatMap((word) => known.byId.get(word) ?? []);
  if (byId.length > 0) return byId;
  const byName = words.flatMap((word) => known.byName.get(word) ?? []);
  return byName.length > 0 ? narrowed([...new Set(byName)], line, index, input) : null;
}

const ID_START = /^[0-9a-f-]{8,}$/;

/** By its id, by the unmistakable start of it, or by a name that it had. */
function idsFor(wanted: string, line: InvoiceLine, index: Index, input: Input): string[] {
  const known = index[kindOf(line)];
  const exact = known.byId.get(wanted);
  if (exact !== undefined) return [exact];
  const named = known.byName.get(wanted);
  if (named) return narrowed(named, line, index, input);
  const begun = ID_START.test(wanted) ? known.ids.filter((id) => id.startsWith(wanted)) : [];
  return begun.length === 1 ? begun.flatMap((id) => known.byId.get(id) ?? []) : [];
}

/** Of several with one name: those that cost something in the line's days, else in the invoice's, else all. */
function narrowed(ids: readonly string[], { fromDay, toDay }: InvoiceLine, { days }: Index, input: Input): string[] {
  if (ids.length < 2) return [...ids];
  const [from, to] = [fromDay ?? input.fromDay, toDay ?? input.toDay];
  const inDays = ids.filter((id) => [...(days.get(id) ?? [])].some((day) => day >= from && day <= to));
  if (inDays.length > 0) return inDays;
  const inPeriod = ids.filter((id) => days.has(id));
  return inPeriod.length > 0 ? inPeriod : [...ids];
}

/** All of a type in a region, where the line says one; what it leaves unsaid it means all of. */
function poolOf(line: InvoiceLine, index: Index): { key: string; holds: (one: BilledResource) => boolean } {
  const kind = kindOf(line);
  const said = (own: string | null, among: ReadonlySet<string>) => {
    const whole = own?.toLowerCase() ?? null;
    if (whole !== null && among.has(whole)) return whole;
    const words = wordsOf(`${own ?? ""} ${line.description}`).sort();
    return words.find((word) => among.has(word)) ?? whole;
  };
  const sku = kind === "filesystem" ? null : said(line.sku, index.types);
  const region = said(line.region, index.regions);
  return {
    key: `P${kind}/${sku ?? "*"}/${region ?? "*"}`,
    holds: (one) =>
      one.kind === kind &&
      (sku === null || one.typeName?.toLowerCase() === sku) &&
      (region === null || one.region?.toLowerCase() === region),
  };
}

function collect(join: Joined, lines: readonly InvoiceLine[], { ledger, resources }: Input): Group[] {
  const groups = new Map<string, Group & { pools: string[] }>();
  const of = (node: string) => {
    const root = join.root(node);
    const found = groups.get(root) ?? { key: "", label: "", lines: [], resources: [], facts: [], pools: [] };
    groups.set(root, found);
    return found;
  };
  for (const line of [...lines].sort((a, b) => a.line - b.line)) of(`L${line.line}`).lines.push(line);
  for (const one of [...resources].sort((a, b) => (a.id < b.id ? -1 : 1)))
    if (join.has(`R${one.id}`)) of(`R${one.id}`).resources.push(one);
  for (const fact of ledger)
    if (fact.resourceId && join.has(`R${fact.resourceId}`)) of(`R${fact.resourceId}`).facts.push(fact);
  for (const node of join.nodes()) if (node.startsWith("P")) of(node).pools.push(node.slice(1));
  return [...groups.values()].map(({ pools, ...group }) => ({ ...group, ...nameOf(group, pools.sort()[0]) }));
}

function nameOf({ lines, resources, facts }: Omit<Group, "key" | "label">, pool: string | undefined) {
  const [only, ...more] = resources;
  const [first] = lines;
  if (only && more.length === 0) return { key: only.id, label: only.names.at(-1) ?? only.externalId };
  if (pool !== undefined) return { key: pool, label: first?.description ?? pool };
  if (first) return { key: `line ${first.line}`, label: first.resource ?? first.description };
  return { key: [...new Set(facts.map(({ resourceId }) => resourceId))].sort().join("+"), label: "Unknown" };
}

/** Disjoint sets; the smaller name is the root, so that the order of uniting does not matter. */
class Joined {
  readonly #above = new Map<string, string>();

  add(node: string): void {
    if (!this.#above.has(node)) this.#above.set(node, node);
  }

  has(node: string): boolean {
    return this.#above.has(node);
  }

  nodes(): string[] {
    return [...this.#above.keys()];
  }

  root(node: string): string {
    this.add(node);
    let at = node;
    for (;;) {
      const above = this.#above.get(at) ?? at;
      if (above === at) break;
      at = above;
    }
    this.#above.set(node, at);
    return at;
  }

  unite(a: string, b: string): void {
    const [x, y] = [this.root(a), this.root(b)];
    if (x < y) this.#above.set(y, x);
    else if (y < x) this.#above.set(x, y);
  }
}
