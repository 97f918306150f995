import { describe, expect, test } from "vitest";
import { gh200, offers } from "./launch.testing";
import { imagesFor, type Offer } from "./offers";

describe("images", () => {
  test("are those of the region and the CPU, each family once", () => {
    expect(imagesFor(gh200, "us-east-3", offers()).map(({ family }) => family)).toEqual(["lambda-stack-24-04"]);
    expect(imagesFor(gh200, "us-west-1", offers()).map(({ family }) => family)).toEqual(["elsewhere"]);
    expect(imagesFor(gh200, "mars", offers())).toEqual([]);
  });

  test("are all of the region where the CPU is not known", () => {
    const families = (offer: Offer | undefined) => imagesFor(offer, "us-east-3", offers()).map(({ family }) => family);
    expect(families(undefined)).toEqual(["lambda-stack-24-04", "x86-only"]);
    expect(families({ ...gh200, architecture: null })).toEqual(["lambda-stack-24-04", "x86-only"]);
  });
});
