import { expect, test } from "vitest";
import { Gathering } from "./gathering";

/** A writing that ends when it is told to. */
function slowWriting() {
  const begun: { things: readonly number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const write = (things: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      begun.push({ things, end: () => resolve(things.map((one) => `wrote ${one}`)), fail: reject });
    });
  return { begun, write };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const limits = { lanes: 2, most: 3, heaviest: 100 };

test("what comes alone is written at once; what comes meanwhile is written together", async () => {
  const { begun, write } = slowWriting();
  const gathering = new Gathering(write, () => 1, limits);
  const answers = [1, 2, 3, 4, 5, 6, 7].map((one) => gathering.add(one));
  expect(begun.map(({ things }) => things)).toEqual([[1], [2]]);
  begun[0]?.end();
  await settled();
  expect(begun[2]?.things).toEqual([3, 4, 5]);
  begun[1]?.end();
  await settled();
  expect(begun[3]?.things).toEqual([6, 7]);
  begun[3]?.end();
  begun[2]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7].map((one) => `wrote ${one}`));
  expect(begun).toHaveLength(4);
});

test("what is heavy goes alone, in its turn", async () => {
  const { begun, write } = slowWriting();
  const gathering = new Gathering(write, (one) => one, { ...limits, lanes: 1 });
  const answers = [1, 40, 60, 1, 500, 2].map((one) => gathering.add(one));
  for (let i = 0; i < 5; i++) {
    begun[i]?.end();
    await settled();
  }
  expect(begun.map(({ things }) => things)).toEqual([[1], [40, 60], [1], [500], [2]]);
  await Promise.all(answers);
});

test("one that cannot be written spoils no other, and a lane goes on after a failure", async () => {
  const write = (things: readonly number[]) =>
    things.includes(13) ? Promise.reject(new Error("thirteen")) : Promise.resolve(things.map((one) => `wrote ${one}`));
  const gathering = new Gathering(write, () => 1, { lanes: 1, most: 10, heaviest: 100 });
  const answers = await Promise.allSettled([1, 12, 13, 14, 13].map((one) => gathering.add(one)));
  expect(answers.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
    "wrote 1",
    "wrote 12",
    "Error: thirteen",
    "wrote 14",
    "Error: thirteen",
  ]);
  expect(await gathering.add(2)).toBe("wrote 2");
});
