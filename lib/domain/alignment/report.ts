import { formatCount, formatNumber, formatUsd, formatUsdChange, formatUsdRate } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";
import { actionsOf } from "./actions";
import { FACT_WORDS, SOURCE_WORDS } from "./check";
import { factsByWeight } from "./compare";
import type { AlignmentAnswer, FindingGroup, GroupView } from "./view";
import { resultWords, verdictSentence, verdictWords } from "./words";

/** The alignment report as a dated Markdown document: what somebody would otherwise write by hand, and it is true. */
export function reportText(answer: AlignmentAnswer): string {
  const { zone, now } = answer;
  const when = (at: number) => formatInstant(at, { timeZone: zone, seconds: true, year: true });
  const parts = [
    `# Alignment report: ${answer.declared?.fleet ?? "nothing declared"}`,
    [
      `Made ${when(now)}.`,
      answer.declared
        ? `Declaration version ${answer.declared.version} of ${when(answer.declared.at)}, by ${answer.declared.by}.`
        : "Nothing is declared, so nothing can be compared.",
      answer.poll.at === null
        ? "Lambda has never answered."
        : `Lambda was asked last ${when(answer.poll.at)}${answer.poll.staleSince === null ? "" : "; what it says is stale"}.`,
    ].join(" "),
    "## Executive summary",
    summary(answer),
    ...(answer.declared ? ["## Comparison", ...answer.groups.map((group) => comparison(group, answer))] : []),
    ...(answer.declared ? ["## Findings", findings(answer, when)] : []),
    ...(answer.declared ? ["## Actions", actions(answer)] : []),
    ...(answer.declared ? ["## Validation", validation(answer)] : []),
  ];
  return `${parts.join("\n\n")}\n`;
}

function summary(answer: AlignmentAnswer): string {
  const { totals, counts, declared } = answer;
  if (!declared) return `${formatCount(totals.machines, "machine")} run${totals.machines === 1 ? "s" : ""}.`;
  const month = `${declared.hoursPerMonth} h`;
  return bullets([
    `**${verdictWords(answer.verdict)}.** ${verdictSentence(answer)}`,
    `Machines: ${totals.machines} there, ${totals.declaredMachines} declared; ${totals.reportingGpus} of ${totals.gpus} GPUs report.`,
    `Memory: ${gb(totals.declaredGb)} declared, ${gb(totals.reportedGb)} reported${totals.poolsGb < 0 ? `; pools claim ${gb(-totals.poolsGb)} that do not exist` : ""}.`,
    `Money per ${month}: ${formatUsd(totals.declaredMicros)} declared, ${formatUsd(totals.observedMicros)} at today’s prices, ${formatUsdChange(totals.differenceMicros)}.`,
    `Findings: ${counts.critical} critical, ${counts.warning} warnings, ${counts.notes} notes, ${counts.pending} pending, ${counts.accepted} accepted; ${formatCount(counts.unverified, "fact")} not verified.`,
  ]);
}

function gb(size: number): string {
  return `${formatNumber(size, Number.isInteger(size) ? 0 : 1)} GB`;
}

function comparison(group: GroupView, { declared }: AlignmentAnswer): string {
  const hours = declared?.hoursPerMonth ?? 720;
  const head = [
    `### ${group.name}`,
    `${formatCount(group.count, "machine")} of ${group.instanceType} declared, ${group.present} there: ${namesOf(group.machines, group.present)}.`,
  ].join("\n\n");
  const rows = factsByWeight(group.facts).map((line) => [
    FACT_WORDS[line.fact],
    line.declared ?? "—",
    line.lambda ?? "—",
    line.gpus ?? "—",
    resultWords(line),
    effect(line),
  ]);
  return `${head}\n\n${table(["Fact", "Declared", "Lambda", "GPUs and agent", "Result", `Effect per ${hours} h`], rows)}`;
}

function namesOf(named: readonly { name: string }[], count: number): string {
  if (named.length === 0) return "none";
  const names = named.map(({ name }) => name).join(", ");
  return count > named.length ? `${names} and ${count - named.length} more` : names;
}

/** `per`: where no head of a column says in what time. */
function effect({ monthMicros, memoryGb }: Pick<FindingGroup, "monthMicros" | "memoryGb">, per = ""): string {
  const parts = [
    ...(monthMicros === null ? [] : [`${formatUsdChange(monthMicros)}${per}`]),
    ...(memoryGb === null ? [] : [`${memoryGb > 0 ? "+" : "−"}${Math.abs(memoryGb)} GB`]),
  ];
  return parts.join(", ") || "none";
}

function findings({ findings: rows, declared }: AlignmentAnswer, when: (at: number) => string): string {
  const standing = rows.filter(({ state }) => state !== "pending");
  if (standing.length === 0) return "None that two polls agree in.";
  return standing
    .map((row) =>
      [
        `### ${FACT_WORDS[row.fact]}: ${namesOf(row.targets, row.ids.length)}`,
        bullets([
          `${row.severity}${row.state === "accepted" ? `, accepted by ${row.accepted?.by}: ${row.accepted?.reason}${row.accepted?.until ? ` (until ${when(row.accepted.until)})` : ""}` : ""}${row.assignee ? `, assigned to ${row.assignee.name}` : ""}`,
          `Declared ${row.declared ?? "nothing"}, observed ${row.observed ?? "nothing"}${row.line === null ? "" : ` (line ${row.line} of the declaration)`}. ${row.why}`,
          `Since ${when(row.since)}, ${formatCount(row.agreedPolls, "poll")} agree${row.agreedPolls === 1 ? "s" : ""}.`,
          `Effect: ${effect(row, ` per ${declared?.hoursPerMonth ?? 720} h`)}.`,
          `Would settle it: ${row.settle}`,
          ...row.evidence.map(
            ({ source, says, at }) =>
              `${SOURCE_WORDS[source]}: ${says ?? "says nothing"}${at === null ? "" : `, ${when(at)}`}`,
          ),
        ]),
      ].join("\n\n"),
    )
    .join("\n\n");
}

function actions(answer: AlignmentAnswer): string {
  const rows = actionsOf(answer);
  return rows.length === 0
    ? "Nothing to do."
    : rows
        .map(
          ({ title, text, dayMicros }, i) =>
            `${i + 1}. **${title}.** ${text}${dayMicros === null ? "" : ` (${formatUsdChange(dayMicros)} per day)`}`,
        )
        .join("\n");
}

function validation(answer: AlignmentAnswer): string {
  return validationSteps(answer)
    .map(
      ({ title, command, expected }, i) =>
        `${i + 1}. ${title}\n\n   \`${command}\`\n\n${expected.map((line) => `   - ${line}`).join("\n")}`,
    )
    .join("\n\n");
}

export type ValidationStep = { title: string; command: string; expected: string[] };

/** How a person checks by hand what the page says: three commands, and what each group should answer. */
export function validationSteps({ groups }: Pick<AlignmentAnswer, "groups">): ValidationStep[] {
  const priced = groups.flatMap(({ name, pricePerHourMicros, instanceType }) =>
    pricePerHourMicros === null
      ? []
      : [`${name}: ${instanceType} at ${formatUsdRate(pricePerHourMicros)}, in cents as price_cents_per_hour`],
  );
  return [
    {
      title: "What the cards call themselves, on each machine",
      command: "nvidia-smi --query-gpu=name,uuid,memory.total,driver_version --format=csv",
      expected: groups.map(
        ({ name, gpusPerInstance, gpu, memoryGb, count }) =>
          `${name}: ${gpusPerInstance} × ${gpu} with ${memoryGb} GB as sold, on each of ${count}`,
      ),
    },
    {
      title: "That programs can use them",
      command: 'python3 -c "import torch; print(torch.cuda.is_available(), torch.version.cuda)"',
      expected: ["True, and a CUDA version that the policy allows"],
    },
    ...(priced.length === 0
      ? []
      : [
          {
            title: "What Lambda lists and asks for",
            command: "curl -s https://cloud.lambda.ai/api/v1/instances -H 'Authorization: Bearer …'",
            expected: priced,
          },
        ]),
  ];
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** A cell cannot hold the sign that parts cells. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n");
}
