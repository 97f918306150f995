import { listChannels } from "@/lib/db/alerts/channels";
import { listGpus, listMachines, type Machine } from "@/lib/db/alerts/readings";
import { listRoutes } from "@/lib/db/alerts/routes";
import { type AlertRule, listRules } from "@/lib/db/alerts/rules";
import { authorize, type Ctx } from "@/lib/domain/access";
import { type CoverageAnswer, type CoverageRow, coverageOf } from "@/lib/domain/alerts/coverage";
import { isWanted } from "@/lib/domain/alerts/notify";
import { selects } from "@/lib/domain/alerts/rules";
import { groupBy } from "@/lib/domain/group";
import { implicitRoute, routesOf } from "@/lib/domain/notify/routes";
import { labelsOf } from "@/lib/domain/silences/silence";
import { shortModelName } from "@/lib/domain/telemetry/models";
import { asTarget } from "./readings";

/** Which GPU has no rule for which risk, and whose alerts nobody would hear. */
export async function readCoverage(ctx: Ctx): Promise<CoverageAnswer> {
  authorize(ctx, "fleet:read");
  const [rules, all, gpus] = await Promise.all([listRules(), listMachines(ctx.now), listGpus()]);
  const machines = all.filter(({ isGone }) => !isGone);
  return {
    now: ctx.now.getTime(),
    rows: rowsOf(rules, machines, gpus),
    ...(await hearing(
      rules.filter(({ enabled }) => enabled),
      machines,
    )),
  };
}

function rowsOf(
  rules: readonly AlertRule[],
  machines: readonly Machine[],
  gpus: Awaited<ReturnType<typeof listGpus>>,
): CoverageRow[] {
  const byId = new Map(machines.map((machine) => [machine.id, machine]));
  const watched = gpus.flatMap((gpu) => {
    const machine = byId.get(gpu.resourceId);
    if (!machine) return [];
    const model = shortModelName(gpu.model);
    return [{ machine, model, rules: coverageOf(rules, { ...asTarget(machine), model, gpu: gpu.uuid }) }];
  });
  const alike = groupBy(watched, ({ machine, model, rules: seen }) => JSON.stringify([machine.workload, model, seen]));
  return [...alike.values()].flatMap((own): CoverageRow[] => {
    const [first] = own;
    if (!first) return [];
    const instances = new Map(own.map(({ machine }) => [machine.id, machine.name]));
    return [
      {
        instances: [...instances].map(([id, name]) => ({ id, name })),
        gpus: own.length,
        model: first.model,
        workload: first.machine.workload,
        rules: first.rules,
      },
    ];
  });
}

/** Follows an alert of each rule, on each machine that it watches, to the channels that would take it. */
async function hearing(rules: readonly AlertRule[], machines: readonly Machine[]) {
  const [channels, routes] = await Promise.all([listChannels(), listRoutes()]);
  const open = new Map(channels.filter(({ enabled }) => enabled).map((channel) => [channel.id, channel]));
  const enabled = routes.filter((route) => route.enabled);
  const asked = enabled.length > 0 ? enabled : channels.map(implicitRoute);
  const isHeard = (rule: AlertRule, machine: Machine | null) =>
    routesOf(asked, labelsFor(rule, machine)).some(({ channelId }) => {
      const channel = open.get(channelId);
      return channel !== undefined && isWanted(channel, "fired", rule.severity);
    });
  const unheard = rules.flatMap((rule) => {
    const own = machines.filter((machine) => selects(rule.selector, asTarget(machine)));
    const deaf = own.filter((machine) => !isHeard(rule, machine));
    if (own.length === 0 ? isHeard(rule, null) : deaf.length === 0) return [];
    const of = own.length === 0 || deaf.length === own.length ? "all of its alerts" : namesOf(deaf);
    return [{ ruleId: rule.id, name: rule.name, severity: rule.severity, of }];
  });
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const deadRoutes = enabled
    .filter(({ channelId }) => !open.has(channelId))
    .map(({ name, channelId }) => ({
      name,
      why: names.has(channelId) ? `its channel ${names.get(channelId)} is switched off` : "its channel was removed",
    }));
  return { unheard, deadRoutes };
}

function namesOf(machines: readonly Machine[]): string {
  const shown = machines.slice(0, 3).map(({ name }) => name);
  return `${shown.join(", ")}${machines.length > 3 ? ` and ${machines.length - 3} more` : ""}`;
}

function labelsFor(rule: AlertRule, machine: Machine | null) {
  return labelsOf({
    ruleName: rule.name,
    severity: rule.severity,
    kind: rule.kind,
    metric: rule.metric,
    ruleLabels: rule.labels,
    target: machine?.name ?? rule.name,
    resourceId: machine?.id ?? null,
    instance: machine?.name ?? "",
    gpu: "",
    team: machine?.team ?? "",
    project: machine?.project ?? "",
    environment: machine?.environment ?? "",
    workload: machine?.workload ?? "",
    type: machine?.typeName ?? "",
    region: machine?.region ?? "",
  });
}
