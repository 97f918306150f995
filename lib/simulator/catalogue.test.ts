import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { modelOf, nominalGb } from "@/lib/domain/telemetry/models";
import { architectureOf, instanceTypes, regions } from "./catalogue";
import { gpuModelOf } from "./gpu-models";
import { chooseImage, images } from "./images";
import { isRecord } from "./request-body";
import { at } from "./testing";

const shared = process.env.SHARED_DIR ?? "../shared";
const file = (name: string) => path.join(shared, name);
const skipped = existsSync(file("fixtures")) ? "" : ` (skipped: ${shared} is absent)`;
const json = (name: string): unknown => JSON.parse(readFileSync(file(name), "utf8"));

describe.skipIf(skipped)(`the price list is Lambda's${skipped}`, () => {
  test("names, words, specs, prices of 2026-09 and regions are those of the derived recording", () => {
    const recorded = at(json("fixtures/lambda/instance-types-2026-09.json"), "data");
    const ours = Object.fromEntries(
      [...instanceTypes.values()].map((row) => [
        row.name,
        {
          description: row.description,
          gpu: row.gpuDescription,
          cents: row.cents2026,
          specs: { vcpus: row.vcpus, memory_gib: row.memoryGib, storage_gib: row.storageGib, gpus: row.gpus },
          regions: row.regions,
        },
      ]),
    );
    const theirs = Object.fromEntries(
      Object.entries(isRecord(recorded) ? recorded : {}).map(([name, item]) => {
        const there = at(item, "regions_with_capacity_available");
        return [
          name,
          {
            description: at(item, "instance_type", "description"),
            gpu: at(item, "instance_type", "gpu_description"),
            cents: at(item, "instance_type", "price_cents_per_hour"),
            specs: at(item, "instance_type", "specs"),
            regions: Array.isArray(there) ? there.map((region) => at(region, "name")) : [],
          },
        ];
      }),
    );
    expect(Object.keys(theirs).length).toBeGreaterThan(20);
    expect(ours).toEqual(theirs);
  });

  test("prices of 2025-11 are those of the reference's table", () => {
    const table = readFileSync(file("reference/lambda-cloud-api.md"), "utf8");
    let compared = 0;
    for (const row of instanceTypes.values()) {
      const line = table.split("\n").find((text) => text.startsWith(`| \`${row.name}\``));
      const cell = line?.split("|").at(-3)?.trim();
      if (cell === undefined || cell.includes("/")) continue;
      expect(row.cents2025, row.name).toBe(cell === "—" ? null : Number(cell));
      compared += 1;
    }
    expect(compared).toBeGreaterThan(15);
  });

  test("regions and ARM images are those that were recorded", () => {
    const recorded = at(json("fixtures/lambda/m_images_response.json"), "data");
    const rows = Array.isArray(recorded) ? recorded : [];
    for (const image of rows) {
      const name = at(image, "region", "name");
      expect(regions.find((region) => region.name === name)?.description).toBe(at(image, "region", "description"));
    }
    const arm = rows.filter((image) => at(image, "architecture") === "arm64").map((image) => at(image, "family"));
    const ours = images.filter(({ architecture }) => architecture === "arm64").map(({ family }) => family);
    expect(new Set(ours)).toEqual(new Set(arm));
  });
});

test("every type with GPUs has a card that names itself, in a size that the product knows", () => {
  for (const { name, gpus, gpuDescription } of instanceTypes.values()) {
    const model = gpuModelOf(name);
    expect(model !== null, name).toBe(gpus > 0);
    if (!model) continue;
    expect(modelOf(model.name), model.name).not.toBeNull();
    const gigabytes = Number(/\((\d+) GB/.exec(gpuDescription)?.[1]);
    expect(nominalGb(model.name, model.memoryTotalMib), model.name).toBe(gigabytes);
    expect(model.busIds.length).toBeGreaterThanOrEqual(gpus);
  }
});

test("a GH200 is the card that Lambda rents", () => {
  const model = gpuModelOf("gpu_1x_gh200");
  expect(model).toMatchObject({ name: "NVIDIA GH200 480GB", memoryTotalMib: 97_871, powerLimitW: 700 });
  expect(model?.busIds).toEqual(["00000000:DD:00.0"]);
  expect(architectureOf("gpu_1x_gh200")).toBe("arm64");
});

test("a launch gets an image of its own architecture and region, the newest of its family", () => {
  expect(chooseImage({ family: "lambda-stack-24-04" }, "us-east-3", "gpu_1x_gh200")?.architecture).toBe("arm64");
  expect(chooseImage({ family: "lambda-stack-22-04" }, "us-east-1", "gpu_1x_a10")?.version).toBe("22.4.5-1459");
  expect(chooseImage({ family: "gpu-base-24-04" }, "us-east-3", "gpu_1x_gh200")).toBeNull();
  expect(chooseImage(null, "us-east-1", "gpu_1x_a10")?.family).toBe("lambda-stack-22-04");
});
