import { architectureOf, regions } from "./catalogue";
import { uuid } from "./random";

export type Image = {
  id: string;
  createdTime: string;
  updatedTime: string;
  name: string;
  description: string;
  family: string;
  version: string;
  architecture: "arm64" | "x86_64";
  regionName: string;
};

const stack = "AI ready GPU image with CUDA, Docker, and ML frameworks";
const base = "GPU base image with CUDA and Docker enabled";

/** Image families as recorded 2025-11-22; the newest of a family first. */
const families: [family: string, version: string, name: string, description: string, created: string][] = [
  ["lambda-stack-24-04", "24.4.2-1459", "Lambda Stack 24.04", stack, "2025-07-07T15:21:16.232000+00:00"],
  ["lambda-stack-22-04", "22.4.5-1459", "Lambda Stack 22.04", stack, "2025-07-07T15:05:48.522000+00:00"],
  ["lambda-stack-22-04", "22.4.5-1026", "Lambda Stack 22.04", stack, "2025-03-11T23:00:07.278000+00:00"],
  ["gpu-base-24-04", "24.4.2-1459", "GPU Base 24.04", base, "2025-07-07T20:38:55.510000+00:00"],
  ["gpu-base-22-04", "22.4.5-1459", "GPU Base 22.04", base, "2025-07-07T19:17:36.439000+00:00"],
  [
    "ubuntu-24-04",
    "24.4.2-20250626",
    "Ubuntu 24.04.2 LTS",
    "Ubuntu 24.04.2 LTS (Noble Numbat)",
    "2025-07-07T09:33:45.478000+00:00",
  ],
  [
    "ubuntu-22-04",
    "22.4.5-20250702",
    "Ubuntu 22.04.5 LTS",
    "Ubuntu 22.04.5 LTS (Jammy Jellyfish)",
    "2025-07-07T09:23:42.248000+00:00",
  ],
];

/** One row per image and region, as the API lists them. ARM images exist in us-east-3 alone, and only Lambda Stack. */
export const images: readonly Image[] = regions.flatMap((region) => {
  const architecture = region.name === "us-east-3" ? "arm64" : "x86_64";
  return families
    .filter(([family]) => architecture === "x86_64" || family.startsWith("lambda-stack"))
    .map(([family, version, name, description, created]) => ({
      id: uuid(0x1a3, `${region.name}/${family}/${version}`),
      createdTime: created,
      updatedTime: created,
      name,
      description,
      family,
      version,
      architecture,
      regionName: region.name,
    }));
});

/** The image a launch gets: by id, by family (the newest), or Lambda's default; null when there is none such. */
export function chooseImage(
  wanted: { id: string } | { family: string } | null,
  regionName: string,
  typeName: string,
): Image | null {
  const architecture = architectureOf(typeName);
  const fitting = images.filter((image) => image.regionName === regionName && image.architecture === architecture);
  if (!wanted) return fitting.find((image) => image.family === "lambda-stack-22-04") ?? null;
  if ("id" in wanted) return fitting.find((image) => image.id === wanted.id) ?? null;
  return fitting.find((image) => image.family === wanted.family) ?? null;
}
