import { expect, test } from "vitest";
import { NewLaunch } from "./launch";
import { choice } from "./launch.testing";

test("an empty choice of image or file system is none, and what is not asked for does not come through", () => {
  const parsed = NewLaunch.parse({
    ...choice({ imageFamily: "", fileSystemName: "" }),
    intentId: "0190b8a2-1111-7222-8333-444455556666",
    priceMicros: "2290000",
    role: "admin",
  });
  expect(parsed).toMatchObject({
    imageFamily: null,
    fileSystemName: null,
    workload: "unknown",
    accepted: [],
    count: 1,
    leaseUntil: null,
    userData: "",
  });
  expect(parsed).not.toHaveProperty("role");
  expect(NewLaunch.safeParse({ ...parsed, priceMicros: "2.29" }).success).toBe(false);
  expect(NewLaunch.safeParse({ ...parsed, intentId: "1" }).success).toBe(false);
});
