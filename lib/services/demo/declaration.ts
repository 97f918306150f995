import type { Ctx } from "@/lib/domain/access";
import { saveDeclaration } from "@/lib/services/alignment/declare";
import { signReview, startMigration } from "@/lib/services/alignment/software";

const DAY_MS = 24 * 3_600_000;

/** What somebody declared a while ago, and what has become wrong since: the opening story, half of it put right. */
const DECLARED = `# What we run, and why. Sizes are GB as GPUs are sold; the driver reports MiB.
version: 1
fleet: Tern Labs
hoursPerMonth: 720
undeclared: report

groups:
  - name: trainers
    owner: research
    instanceType: gpu_1x_gh200
    # The plan of January said H200. Nobody looked.
    gpu: H200
    memoryGb: 141
    count: 3
    regions: [us-east-3]
    pricePerHour: 2.49
    architecture: arm64
    tagsRequired: [team, project]
    software: default
    pools:
      - { name: weights, gb: 60, processes: ["python*"] }
      - { name: kv-cache, gb: 40, processes: ["vllm*"] }
      - { name: activations, gb: 30 }
      - { name: reserve, gb: 11 }

  - name: pretraining
    owner: research
    instanceType: gpu_8x_h100_sxm5
    gpu: H100
    gpusPerInstance: 8
    memoryGb: 80
    count: 1
    regions: [us-south-2]
    pricePerHour: 31.92
    tagsRequired: [team, project]
    software: default

  - name: finetuning
    owner: finetune
    instanceType: gpu_1x_h100_pcie
    gpu: H100 PCIe
    memoryGb: 80
    count: 1
    regions: [us-west-3]
    pricePerHour: 3.29
    software: default
    pools:
      - { name: base-model, gb: 56 }
      - { name: lora, gb: 20 }

  - name: batch
    owner: data
    instanceType: gpu_1x_a100_sxm4
    gpu: A100
    memoryGb: 40
    count: 1
    regions: [us-east-1]
    pricePerHour: 1.99

  - name: notebooks
    owner: platform
    instanceType: gpu_1x_a10
    gpu: A10
    memoryGb: 24
    count: 2
    pricePerHour: 1.29
    match: { names: ["a10-dev-*"] }

software:
  - name: default
    driverMin: 535.86.10
    driverRecommended: 550
    cuda: [12.4, 12.6, 12.8]
    pytorch: [2.5, 2.6, 2.7]
    capabilityMin: 6.0
    memoryMinGb: 4
    memoryRecommendedGb: 8
    deprecated:
      - { part: cuda, version: 12.1, until: 2026-03-31, note: no wheels since PyTorch 2.6 }
      - { part: cuda, version: 12.4, until: 2027-01-31 }
      - { part: driver, version: 535, until: 2027-06-30, note: end of its long-term branch }
`;

/** The demo's declaration, last quarter's review, and a migration that is under way. */
export async function declareFleet(ctx: Ctx): Promise<void> {
  const back = (days: number): Ctx => ({ ...ctx, now: new Date(ctx.now.getTime() - days * DAY_MS) });
  await saveDeclaration(back(6), { yaml: DECLARED, note: "As planned in January, with the notebooks", base: 0 });
  const quarter = (at: Date) => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`;
  const last = back(70);
  await signReview(last, {
    quarter: quarter(last.now),
    points: ["drivers", "cuda", "pytorch", "images", "hardware", "calendar"],
    remark: "Driver 570 everywhere; CUDA 12.1 is out of the images.",
  });
  await startMigration(back(9), {
    what: "PyTorch 2.4 in the embeddings job",
    reason: "A hole in its serialisation, and no fix for 2.4",
  });
}
