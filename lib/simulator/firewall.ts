import { regions } from "./catalogue";
import type { Cloud } from "./cloud";
import { problems } from "./problems";
import { hex } from "./random";
import { pathId, type RequestBody } from "./request-body";
import type { Call, Outcome } from "./routes";
import type { Actor, FirewallRule, Ruleset } from "./types";

/** What may come in before anybody changes it (lambda-cloud-api.md: only TCP/22 and ICMP). */
const FIRST_RULES: readonly FirewallRule[] = [
  { protocol: "tcp", port_range: [22, 22], source_network: "0.0.0.0/0", description: "Allow SSH from anywhere" },
  { protocol: "icmp", source_network: "0.0.0.0/0", description: "Allow ICMP from anywhere" },
];

function rulesetsOf({ state }: Cloud): Ruleset[] {
  state.rulesets ??= [
    {
      id: "global",
      name: "Default Workspace Global Rules",
      regionName: null,
      rules: [...FIRST_RULES],
      createdAt: state.startedAt,
    },
  ];
  return state.rulesets;
}

function found(cloud: Cloud, id: string): Ruleset {
  const ruleset = rulesetsOf(cloud).find((one) => one.id === (id === "global" ? id : pathId(id)));
  if (!ruleset) throw problems.rulesetNotFound();
  return ruleset;
}

function view({ id, name, regionName, rules, createdAt }: Ruleset) {
  if (regionName === null) return { id, name, rules };
  const region = regions.find((one) => one.name === regionName);
  return { id, name, region, rules, created: new Date(createdAt).toISOString(), instance_ids: [] };
}

export const readRuleset = ({ cloud, id }: Call): Outcome => ({ data: view(found(cloud, id)) });
export const readGlobalRuleset = (call: Call): Outcome => readRuleset({ ...call, id: "global" });

export const listRulesets = ({ cloud }: Call): Outcome => ({
  data: rulesetsOf(cloud)
    .filter(({ regionName }) => regionName !== null)
    .map(view),
});

export function createRuleset({ cloud, body, actor }: Call): Outcome {
  const regionName = body.string("region");
  if (!regions.some((one) => one.name === regionName)) throw problems.invalid(`Region ${regionName} does not exist`);
  const ruleset: Ruleset = {
    id: hex(cloud.state.seed, `ruleset/${rulesetsOf(cloud).length}`),
    name: body.string("name", { max: 64 }),
    regionName,
    rules: rulesIn(body),
    createdAt: cloud.now(),
  };
  rulesetsOf(cloud).push(ruleset);
  said(cloud, "created", ruleset, actor);
  return { data: view(ruleset) };
}

export function changeRuleset({ cloud, faults, method, path, id, body, actor }: Call): Outcome {
  if (faults.strike("firewall_conflict", method, path)) throw problems.firewallConflict();
  const ruleset = found(cloud, id);
  ruleset.rules = rulesIn(body);
  said(cloud, "updated", ruleset, actor);
  return { data: view(ruleset) };
}

export const changeGlobalRuleset = (call: Call): Outcome => changeRuleset({ ...call, id: "global" });

function said(cloud: Cloud, what: string, { id }: Ruleset, actor: Actor): void {
  cloud.note("firewall_ruleset", what, actor, [id], {});
}

const PROTOCOL = /^(tcp|udp|icmp|all)$/;
const NETWORK = /^\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?$/;

function rulesIn(body: RequestBody): FirewallRule[] {
  return body.objects("rules").map((rule) => {
    const protocol = rule.string("protocol", { pattern: PROTOCOL });
    const ports = rule.ports("port_range");
    if ((protocol === "icmp") !== (ports === null))
      throw rule.wrong("port_range", "Value error, ports do not fit the protocol");
    const network = rule.string("source_network", { pattern: NETWORK });
    return {
      protocol,
      ...(ports && { port_range: ports }),
      source_network: network.includes("/") ? network : `${network}/32`,
      description: rule.string("description", { max: 128 }),
    };
  });
}
