import { describe, expect, test } from "vitest";
import { modelOf, nominalGb, shortModelName } from "./models";

describe("what a card is", () => {
  test.each([
    ["NVIDIA GH200 480GB", "GH200"],
    ["NVIDIA GH200 144G HBM3e", "GH200 144 GB"],
    ["NVIDIA H100 80GB HBM3", "H100"],
    ["NVIDIA H100 PCIe", "H100 PCIe"],
    ["NVIDIA A100-SXM4-40GB", "A100"],
    ["NVIDIA A100 80GB PCIe", "A100 PCIe"],
    ["A100-PCIE-40GB", "A100 PCIe"],
    ["NVIDIA A10", "A10"],
    ["NVIDIA A10G", "A10G"],
    ["NVIDIA L4", "L4"],
    ["NVIDIA L40S", "L40S"],
    ["Tesla T4", "T4"],
    ["Tesla V100-SXM2-16GB", "V100"],
    ["NVIDIA B200", "B200"],
    ["NVIDIA GB200", "GB200"],
    ["NVIDIA H20", "H20"],
    ["NVIDIA RTX A6000", "A6000"],
    ["Quadro RTX 6000", "RTX 6000"],
    ["NVIDIA RTX 6000 Ada Generation", "RTX 6000 Ada"],
    ["NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000"],
    ["NVIDIA GeForce RTX 4090", "RTX 4090"],
    ["NVIDIA GeForce RTX 3070", "RTX 3070"],
    ["NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 4090 Laptop GPU"],
    ["Graphics Device", "Graphics Device"],
    ["NVIDIA ", "NVIDIA "],
  ])("%s is a %s", (name, short) => {
    expect(shortModelName(name)).toBe(short);
  });

  test("its memory never tells: three cards report the same size and are three models", () => {
    const models = ["NVIDIA GH200 480GB", "NVIDIA H20", "NVIDIA RTX PRO 6000 Blackwell Server Edition"].map(modelOf);
    expect(new Set(models).size).toBe(3);
    expect(modelOf("Some card")).toBeNull();
    expect(modelOf(null)).toBeNull();
  });
});

describe("what it is sold as", () => {
  test.each([
    ["NVIDIA GH200 480GB", 97_871, 96],
    ["NVIDIA GH200 144G HBM3e", 146_831, 144],
    ["NVIDIA H100 80GB HBM3", 81_559, 80],
    ["NVIDIA A10", 23_028, 24],
    ["NVIDIA L4", 23_034, 24],
    ["Tesla T4", 15_360, 16],
    ["Tesla T4", 16_127, 16],
    ["NVIDIA A100-SXM4-40GB", 40_960, 40],
    ["NVIDIA A100 80GB PCIe", 81_920, 80],
    ["NVIDIA B200", 183_359, 180],
    ["NVIDIA RTX A6000", 46_068, 48],
    ["Quadro RTX 6000", 23_040, 24],
    // 3 % of 97,871 is 2,936.13.
    ["NVIDIA GH200 480GB", 97_871 - 2936, 96],
    ["NVIDIA GH200 480GB", 97_871 - 2937, null],
    ["NVIDIA GH200 480GB", 97_871 + 2936, 96],
    ["NVIDIA GH200 480GB", 81_559, null],
    ["Unknown card", 97_871, null],
    [null, 97_871, null],
    ["NVIDIA GH200 480GB", null, null],
  ])("%s that reports %s MiB: %s GB", (name, mib, gb) => {
    expect(nominalGb(name, mib)).toBe(gb);
  });
});
