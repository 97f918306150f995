import { expect, test } from "vitest";
import { askingTogether } from "./asking";

test("who asks while a question is on its way shares its answer; who asks later asks anew; failures are not kept", async () => {
  const asked: { key: string; end: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const ask = askingTogether(
    (key: string) => new Promise<string>((end, fail) => asked.push({ key, end, fail })),
    (key) => key,
  );
  const [first, same, other] = [ask("a"), ask("a"), ask("b")];
  expect(asked.map(({ key }) => key)).toEqual(["a", "b"]);
  asked[0]?.end("one");
  asked[1]?.fail(new Error("no answer"));
  expect([await first, await same]).toEqual(["one", "one"]);
  await expect(other).rejects.toThrow("no answer");
  const [again, retried] = [ask("a"), ask("b")];
  asked[2]?.end("two");
  asked[3]?.end("three");
  expect([await again, await retried]).toEqual(["two", "three"]);
});
