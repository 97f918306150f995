import { describe, expect, test } from "vitest";
import { providerActor } from "./provider-actor";

describe("Lambda's names for people and keys", () => {
  test.each([
    ["lrn:cloud:api_key:62f87108a905e82f3b772ebf9795505b", "API key …505b"],
    ["lrn:cloud:identity:547201051f091c5b23f011045f834d71", "identity …4d71"],
    ["lrn:cloud:service_account:ab", "service account …ab"],
    ["ada@example.com", "ada@example.com"],
    ["unknown", "unknown"],
  ])("%s", (text, name) => expect(providerActor(text)).toBe(name));
});
