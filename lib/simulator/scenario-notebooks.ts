import { unit } from "./random";
import { DAY, HOUR, idleWeekend, MINUTE, type PlannedMachine, planned, span, tagged } from "./scenario-plan";
import { isWeekend } from "./workloads";

/**
 * One person's notebook machine, launched on weekday mornings and mostly terminated in the evening; forgotten now and
 * then, over the idle weekend too. Omar's last one was forgotten yesterday, its kernel shut down.
 */
export function notebook(
  name: string,
  team: string,
  owner: string,
  seed: number,
  now: number,
  days: number,
): PlannedMachine[] {
  const isForgotten = owner === "omar";
  const machines: PlannedMachine[] = [];
  let busyUntil = 0;
  for (let day = Math.floor((now - days * DAY) / DAY) * DAY; day <= now; day += DAY) {
    const number = day / DAY;
    const from = day + 8 * HOUR + Math.floor(unit(seed, number) * 70) * MINUTE;
    if (isWeekend(day) || from < busyUntil || from < now - days * DAY || from > now - 10 * MINUTE) continue;
    if (isForgotten && from > now - 15 * HOUR) continue;
    const evening = day + 17 * HOUR + Math.floor(unit(seed + 3, number) * 110) * MINUTE;
    const isFriday = new Date(day).getUTCDay() === 5;
    const isIdleWeekend = isForgotten && isFriday && day + DAY === idleWeekend(now);
    const nights = isIdleWeekend ? 3 : !isFriday && unit(seed + 7, number) < 0.14 ? 1 : 0;
    const to = evening + (nights > 0 ? nights * DAY - 9 * HOUR : 0);
    busyUntil = to;
    machines.push(
      planned({
        key: `${name}/${number}`,
        name,
        typeName: "gpu_1x_a10",
        regionName: "us-east-1",
        from,
        to: to < now ? to : null,
        tags: tagged(team, "notebooks", owner, "development", "dev"),
        workloads: (activeAt) => [span(activeAt + 6 * MINUTE, "dev", { memoryPct: 22 })],
      }),
    );
  }
  const last = machines.at(-1);
  if (isForgotten && last) {
    const evening = last.from + 9 * HOUR;
    last.to = null;
    last.workloads = (activeAt) => [span(activeAt + 6 * MINUTE, "dev", { memoryPct: 22 }), span(evening, "idle-empty")];
  }
  return machines;
}
