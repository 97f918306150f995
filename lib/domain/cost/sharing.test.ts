import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NOBODY, type OwnerWords } from "./allocation";
import { sum } from "./money";
import { type OwnerDay, type Sharing, spread, wordsKey } from "./sharing";

const team = (name: string, more: object = {}): OwnerWords => ({ ...NOBODY, team: name, ...more });
const had = (words: OwnerWords, gpuMinutes: bigint): OwnerDay => ({ words, gpuMinutes });
const parts = (micros: bigint, sharing: Sharing, owners: OwnerDay[]) =>
  spread(micros, sharing, owners)?.map(({ words, ...part }) => [
    wordsKey(words).replaceAll("\u001f", "/"),
    part.micros,
    part.roundingPpm,
  ]);

describe("a pot", () => {
  test.each<[string, bigint, Sharing, OwnerDay[], unknown]>([
    [
      "is spread by GPU-minutes",
      100n,
      { method: "gpu_minutes", payers: [] },
      [had(team("a"), 30n), had(team("b"), 10n), had(team("c"), 0n)],
      [
        ["a///", 75n, 0],
        ["b///", 25n, 0],
      ],
    ],
    [
      "is spread evenly, ties to the smaller key, with the rounding beside each part",
      1_000_000n,
      { method: "even", payers: [] },
      [had(team("c"), 0n), had(team("a"), 5n), had(team("b"), 0n)],
      [
        ["c///", 333_333n, -333_334],
        ["a///", 333_334n, 666_667],
        ["b///", 333_333n, -333_333],
      ],
    ],
    [
      "is spread by fixed parts, whoever is there",
      -10n,
      {
        method: "fixed",
        payers: [
          { words: team("a"), ppm: 750_000 },
          { words: team("b"), ppm: 250_000 },
        ],
      },
      [],
      [
        ["a///", -8n, -500_000],
        ["b///", -2n, 500_000],
      ],
    ],
    [
      "goes to the payer that says most of an owner",
      100n,
      {
        method: "gpu_minutes",
        payers: [
          { words: team("a"), ppm: 0 },
          { words: team("a", { project: "x" }), ppm: 0 },
        ],
      },
      [had(team("a", { project: "x" }), 10n), had(team("a", { project: "y" }), 30n), had(team("b"), 1_000n)],
      [
        ["a///", 75n, 0],
        ["a/x//", 25n, 0],
      ],
    ],
    ["waits where nobody had a machine", 5n, { method: "gpu_minutes", payers: [] }, [had(team("a"), 0n)], undefined],
    ["waits where nobody is there", 5n, { method: "even", payers: [] }, [], undefined],
  ])("%s", (_, micros, sharing, owners, expected) => {
    const found = parts(micros, sharing, owners);
    expect(found && [...found].sort()).toEqual(expected && [...(expected as unknown[][])].sort());
  });

  test("always has parts that add up to it, roundings that add up to nothing, and no order", () => {
    const owners = fc.uniqueArray(
      fc.record({ name: fc.stringMatching(/^[a-z]{1,2}$/), minutes: fc.bigInt({ min: 0n, max: 10n ** 9n }) }),
      { selector: ({ name }) => name, minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.constantFrom("gpu_minutes" as const, "even" as const),
        owners,
        (micros, method, given) => {
          const days = given.map(({ name, minutes }) => had(team(name), minutes));
          const found = spread(micros, { method, payers: [] }, days);
          if (found === null) {
            expect(days.every(({ gpuMinutes }) => gpuMinutes === 0n)).toBe(true);
            return;
          }
          expect(sum(found.map((part) => part.micros))).toBe(micros);
          expect(found.reduce((all, part) => all + part.roundingPpm, 0)).toBe(0);
          expect(found.every(({ roundingPpm }) => Math.abs(roundingPpm) <= 1_000_000)).toBe(true);
          const other = spread(micros, { method, payers: [] }, days.toReversed());
          const byKey = (all: typeof found | null) =>
            Object.fromEntries((all ?? []).map((part) => [wordsKey(part.words), part.micros]));
          expect(byKey(other)).toEqual(byKey(found));
        },
      ),
    );
  });
});
