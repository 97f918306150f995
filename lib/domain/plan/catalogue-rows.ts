/**
 * Prices of GPUs elsewhere, each as one source had it on one day; nobody's truth of today. A line: provider, type, GPU, GPUs,
 * GB per GPU, vCPUs, GiB of memory, region, tier, unit, dollars an hour, source, day, status, note. Empty: not said.
 */
export const CATALOGUE_ROWS = `
# The provisioning review of 30 October 2025: claims of a guide, and what its reviewer made of them
aws | p4d, per GPU | A100 | 1 | 40 |  |  |  | on_demand | gpu | 3.02 | review | 2025-10-30 | rejected | Printed as the price of p4d, which has 8 GPUs. It is neither 32.77 ÷ 8 = 4.096 nor 21.9576 ÷ 8 = 2.745.
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 |  |  |  | on_demand | instance | 3.40 | review | 2025-10-30 | claimed | Another document has $3.672, Azure’s own list $3.673.
gcp | a2-highgpu, per GPU | A100 | 1 | 40 |  |  |  | on_demand | gpu | 3.67 | review | 2025-10-30 | claimed |
lambda | gpu_1x_a100 | A100 | 1 | 40 |  |  |  | on_demand | instance | 1.29 | review | 2025-10-30 | confirmed | The review does not say which A100. Lambda sold its 40 GB cards at this price.
runpod | A100 80 GB | A100 | 1 | 80 |  |  |  | secure | instance | 1.74 | review | 2025-10-30 | claimed | The reviewer calls it outdated.
runpod | A100 80 GB | A100 | 1 | 80 |  |  |  | community | instance | 1.19 | review | 2025-10-30 | confirmed | The reviewer’s correction.
runpod | A100 80 GB | A100 | 1 | 80 |  |  |  | spot | instance | 0.69 | review | 2025-10-30 | claimed | 12 hours at it are $8.28. The $4.14 that was printed are 6 hours.
tensordock | A100, as the guide has it | A100 | 1 |  |  |  |  | marketplace | instance | 0.75 | review | 2025-10-30 | rejected | The reviewer found no such offer; TensorDock’s own price was $1.80.
tensordock | A100 SXM4 80 GB | A100 SXM4 | 1 | 80 |  |  |  | marketplace | instance | 1.80 | review | 2025-10-30 | confirmed | The reviewer’s correction of $0.75.
thunder-compute | A100 | A100 | 1 |  |  |  |  | on_demand | instance | 0.66 | review | 2025-09-30 | confirmed | Confirmed by the reviewer. The memory of the card is not said.

# The alignment report of January 2025, and the estimates of TextNLP, which have no day
lambda | gpu_1x_gh200 | GH200 | 1 | 96 |  |  | us-east-3 | on_demand | instance | 1.49 | alignment | 2025-01-07 | confirmed |
aws | p4d.24xlarge | A100 | 8 | 40 | 96 | 1152 |  | on_demand | instance | 32.770 | textnlp |  | claimed |
aws | g4dn.xlarge | T4 | 1 | 16 | 4 | 16 |  | on_demand | instance | 0.526 | textnlp |  | claimed |
aws | g4dn.2xlarge | T4 | 1 | 16 | 8 | 32 |  | on_demand | instance | 0.752 | textnlp |  | claimed |
aws | p3.2xlarge | V100 | 1 | 16 | 8 | 61 |  | on_demand | instance | 3.060 | textnlp |  | claimed |
aws | p3.8xlarge | V100 | 4 | 16 | 32 | 244 |  | on_demand | instance | 12.240 | textnlp |  | claimed |
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 | 24 | 220 |  | on_demand | instance | 3.672 | textnlp |  | claimed |
azure | NC4as_T4_v3 | T4 | 1 | 16 | 4 | 28 |  | on_demand | instance | 0.526 | textnlp |  | claimed |
azure | NC6s_v3 | V100 | 1 | 16 | 6 | 112 |  | on_demand | instance | 3.168 | textnlp |  | claimed | Another list has $3.06.
gcp | a2-highgpu-1g | A100 | 1 | 40 | 12 | 85 |  | on_demand | instance | 3.673 | textnlp |  | claimed |
gcp | a2-highgpu-8g | A100 | 8 | 40 | 96 | 680 |  | on_demand | instance | 24.480 | textnlp |  | rejected | 8 × 3.673 = 29.384. 24.48 is the price of p3.16xlarge at AWS.
gcp | n1-standard-4 + T4 | T4 | 1 | 16 | 4 | 15 |  | on_demand | instance | 0.395 | textnlp |  | claimed | Low: another list has $0.82 for n1-highmem-8 with a T4.
gcp | n1-standard-8 + V100 | V100 | 1 | 16 | 8 | 30 |  | on_demand | instance | 1.450 | textnlp |  | claimed | Low: another list has $2.95 for n1-highmem-8 with a V100.

# Lambda's own answer to a list of types, recorded
lambda | gpu_1x_gh200 | GH200 | 1 | 96 | 64 | 432 |  | on_demand | instance | 1.49 | recording | 2025-11-22 | confirmed |
lambda | gpu_1x_a10 | A10 PCIe | 1 | 24 | 30 | 200 |  | on_demand | instance | 0.75 | recording | 2025-11-22 | confirmed |
lambda | gpu_1x_a6000 | A6000 | 1 | 48 | 14 | 100 |  | on_demand | instance | 0.8 | recording | 2025-11-22 | confirmed |
lambda | gpu_1x_a100 | A100 PCIe | 1 | 40 | 30 | 200 |  | on_demand | instance | 1.29 | recording | 2025-11-22 | confirmed |
lambda | gpu_1x_a100_sxm4 | A100 SXM4 | 1 | 40 | 30 | 200 |  | on_demand | instance | 1.29 | recording | 2025-11-22 | confirmed |
lambda | gpu_8x_a100_80gb_sxm4 | A100 SXM4 | 8 | 80 | 240 | 1800 |  | on_demand | instance | 14.32 | recording | 2025-11-22 | confirmed |
lambda | gpu_1x_h100_pcie | H100 PCIe | 1 | 80 | 26 | 200 |  | on_demand | instance | 2.49 | recording | 2025-11-22 | confirmed |
lambda | gpu_1x_h100_sxm5 | H100 SXM5 | 1 | 80 | 26 | 225 |  | on_demand | instance | 3.29 | recording | 2025-11-22 | confirmed |
lambda | gpu_8x_h100_sxm5 | H100 SXM5 | 8 | 80 | 208 | 1800 |  | on_demand | instance | 23.92 | recording | 2025-11-22 | confirmed |
lambda | gpu_8x_b200_sxm6 | B200 SXM6 | 8 | 180 | 208 | 2900 |  | on_demand | instance | 39.92 | recording | 2025-11-22 | confirmed |

# Lambda after its prices rose
lambda | gpu_1x_gh200 | GH200 | 1 | 96 | 64 | 432 |  | on_demand | instance | 2.29 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_a10 | A10 PCIe | 1 | 24 | 30 | 200 |  | on_demand | instance | 1.29 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_a6000 | A6000 | 1 | 48 | 14 | 100 |  | on_demand | instance | 1.09 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_a100 | A100 PCIe | 1 | 40 | 30 | 200 |  | on_demand | instance | 1.99 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_a100_sxm4 | A100 SXM4 | 1 | 40 | 30 | 200 |  | on_demand | instance | 1.99 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_8x_a100_80gb_sxm4 | A100 SXM4 | 8 | 80 | 240 | 1800 |  | on_demand | instance | 22.32 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_h100_pcie | H100 PCIe | 1 | 80 | 26 | 200 |  | on_demand | instance | 3.29 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_h100_sxm5 | H100 SXM5 | 1 | 80 | 26 | 225 |  | on_demand | instance | 4.29 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_8x_h100_sxm5 | H100 SXM5 | 8 | 80 | 208 | 1800 |  | on_demand | instance | 31.92 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_1x_b200_sxm6 | B200 SXM6 | 1 | 180 | 26 | 360 |  | on_demand | instance | 6.99 | skypilot | 2026-05-08 | confirmed |
lambda | gpu_8x_b200_sxm6 | B200 SXM6 | 8 | 180 | 208 | 2900 |  | on_demand | instance | 53.52 | skypilot | 2026-05-08 | confirmed |

# Price lists of the large providers, through their own price APIs
aws | p4d.24xlarge | A100 40GB | 8 | 40 |  |  | us-east-1 | on_demand | instance | 21.9576 | lists | 2026-06-15 | claimed |
aws | p4d.24xlarge | A100 40GB | 8 | 40 |  |  | us-east-1 | reserved_1y | instance | 13.9211 | lists | 2026-06-15 | claimed |
aws | p4d.24xlarge | A100 40GB | 8 | 40 |  |  | us-east-1 | reserved_3y | instance | 9.3742 | lists | 2026-06-15 | claimed |
aws | p4de.24xlarge | A100 80GB | 8 | 80 |  |  | us-east-1 | on_demand | instance | 27.4471 | lists | 2026-06-15 | claimed |
aws | p5.48xlarge | H100 SXM | 8 | 80 |  |  | us-east-1 | on_demand | instance | 55.04 | lists | 2026-06-15 | claimed |
aws | p5en.48xlarge | H200 SXM | 8 | 141 |  |  | us-east-1 | on_demand | instance | 63.296 | lists | 2026-06-15 | claimed |
aws | p6-b200.48xlarge | B200 | 8 | 180 |  |  | us-east-1 | on_demand | instance | 113.9328 | lists | 2026-06-15 | claimed |
aws | g6.xlarge | L4 | 1 | 24 |  |  | us-east-1 | on_demand | instance | 0.8048 | lists | 2026-06-15 | claimed |
aws | g6e.xlarge | L40S | 1 | 48 |  |  | us-east-1 | on_demand | instance | 1.861 | lists | 2026-06-15 | claimed |
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 |  |  | eastus | on_demand | instance | 3.673 | lists | 2026-06-15 | claimed |
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 |  |  | eastus | reserved_1y | instance | 3.0574 | lists | 2026-06-15 | claimed |
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 |  |  | eastus | reserved_3y | instance | 2.2659 | lists | 2026-06-15 | claimed |
azure | Standard_NC40ads_H100_v5 | H100 NVL | 1 | 94 |  |  | eastus | on_demand | instance | 6.98 | lists | 2026-06-15 | claimed |
azure | Standard_ND96isr_H100_v5 | H100 SXM | 8 | 80 |  |  | eastus | on_demand | instance | 98.32 | lists | 2026-06-15 | claimed |
gcp | A100 40GB without CPU and memory | A100 40GB | 1 | 40 |  |  | us-central1 | on_demand | gpu_component | 2.9339 | lists | 2026-06-15 | claimed | The GPU alone: CPU and memory are billed beside it.
gcp | A100 80GB without CPU and memory | A100 80GB | 1 | 80 |  |  | us-central1 | on_demand | gpu_component | 3.9281 | lists | 2026-06-15 | claimed | The GPU alone: CPU and memory are billed beside it.
gcp | H100 without CPU and memory | H100 | 1 | 80 |  |  | us-central1 | on_demand | gpu_component | 9.7966 | lists | 2026-06-15 | claimed | The GPU alone: CPU and memory are billed beside it.
gcp | L4 without CPU and memory | L4 | 1 | 24 |  |  | us-central1 | on_demand | gpu_component | 0.56 | lists | 2026-06-15 | claimed | The GPU alone: CPU and memory are billed beside it.
gcp | H100 without CPU and memory | H100 | 1 | 80 |  |  | us-central1 | spot | gpu_component | 4.4104 | lists | 2026-06-15 | claimed | The GPU alone: CPU and memory are billed beside it.
oci | H100 SXM (B98415) | H100 SXM | 1 | 80 |  |  |  | on_demand | gpu | 10 | lists | 2026-06-15 | claimed |
vultr | vcg-l40s-16c-180g-48vram | L40S | 1 | 48 |  |  |  | on_demand | instance | 1.5596 | lists | 2026-06-15 | claimed |

# Offers of the smaller providers
coreweave | A100 NVLink | A100 NVLink | 1 | 40 |  |  |  | on_demand | gpu_component | 2.06 | offers | 2026-05-24 | claimed | CPU ($0.01 an hour each) and memory ($0.005 per GB and hour) are billed beside it.
coreweave | HGX H100 SXM | HGX H100 SXM | 1 | 80 |  |  |  | on_demand | gpu_component | 4.76 | offers | 2026-05-24 | claimed | CPU ($0.01 an hour each) and memory ($0.005 per GB and hour) are billed beside it.
vultr | GH200 | GH200 | 1 | 96 | 72 | 480 |  | on_demand | gpu | 1.99 | offers | 2026-05-24 | claimed |
vultr | A100 PCIe | A100 PCIe | 1 | 80 | 12 | 120 |  | on_demand | gpu | 2.397 | offers | 2026-05-24 | claimed |
spheron | GH200 | GH200 | 1 | 96 |  |  |  | spot | gpu | 1.88 | offers | 2026-05-24 | claimed | The cheapest offer of a marketplace, likely one that may be taken away.
runpod | A100 PCIe | A100 PCIe | 1 | 80 | 8 | 117 |  | community | gpu | 1.19 | offers | 2026-05-24 | claimed |
runpod | A100 SXM | A100 SXM | 1 | 80 | 16 | 125 |  | secure | gpu | 1.49 | offers | 2026-05-24 | claimed |
runpod | H100 SXM | H100 SXM | 1 | 80 | 20 | 125 |  | secure | gpu | 3.29 | offers | 2026-05-24 | claimed |
runpod | H100 SXM | H100 SXM | 1 | 80 | 20 | 125 |  | community | gpu | 2.69 | offers | 2026-05-24 | claimed |
runpod | H200 | H200 | 1 | 141 | 24 | 276 |  | secure | gpu | 4.39 | offers | 2026-05-24 | claimed |
thunder-compute | A100 80GB NVLink | A100 80GB NVLink | 1 | 80 |  |  |  | production | gpu | 1.49 | offers | 2026-05-24 | claimed | A virtual GPU over the network.
verda | A100 SXM4 | A100 SXM4 | 1 | 40 |  |  |  | on_demand | gpu | 0.72 | offers | 2026-05-24 | claimed |
verda | A100 SXM4 80GB | A100 SXM4 80GB | 1 | 80 |  |  |  | on_demand | gpu | 1.29 | offers | 2026-05-24 | claimed |
verda | H100 SXM5 | H100 SXM5 | 1 | 80 |  |  |  | on_demand | gpu | 2.29 | offers | 2026-05-24 | claimed |
verda | H100 SXM5 | H100 SXM5 | 1 | 80 |  |  |  | spot | gpu | 0.8 | offers | 2026-05-24 | claimed |
verda | H200 SXM5 | H200 SXM5 | 1 | 141 |  |  |  | on_demand | gpu | 3.39 | offers | 2026-05-24 | claimed |
verda | B200 SXM6 | B200 SXM6 | 1 | 180 |  |  |  | on_demand | gpu | 4.89 | offers | 2026-05-24 | claimed |
hyperstack | H100 PCIe | H100 PCIe | 1 | 80 | 28 | 180 |  | on_demand | gpu | 1.9 | offers | 2026-05-24 | claimed |
hyperstack | H200 SXM | H200 SXM | 1 | 141 | 22 | 225 |  | on_demand | gpu | 3.5 | offers | 2026-05-24 | claimed |
vast | A100 PCIe | A100 PCIe | 1 | 40 |  |  |  | marketplace | gpu | 0.67 | offers | 2026-05-24 | claimed | The cheapest host at that moment.
vast | H100 SXM5 | H100 SXM5 | 1 | 80 |  |  |  | marketplace | gpu | 1.49 | offers | 2026-05-24 | claimed | The cheapest host at that moment.
tensordock | H100 SXM5 | H100 SXM5 | 1 | 80 |  |  |  | on_demand | gpu | 2.25 | offers | 2026-05-24 | claimed | The page speaks of July 2024.
nebius | H100 SXM | H100 SXM | 1 | 80 |  |  |  | median | gpu | 2.15 | medians | 2026-08-21 | claimed | The middle of several offers: nobody sells at it.
nebius | H200 | H200 | 1 | 141 |  |  |  | median | gpu | 2.45 | medians | 2026-08-21 | claimed | The middle of several offers: nobody sells at it.
crusoe | A100 SXM 80GB | A100 SXM 80GB | 1 | 80 |  |  |  | median | gpu | 2.3 | medians | 2026-08-21 | claimed | The middle of several offers: nobody sells at it.

# An older table that has spot prices beside the others
aws | p4d.24xlarge | A100 | 8 | 40 | 96 | 1152 |  | on_demand | instance | 32.77 | fullStack | 2023-10-30 | claimed |
aws | p4d.24xlarge | A100 | 8 | 40 | 96 | 1152 |  | spot | instance | 9.83 | fullStack | 2023-10-30 | claimed |
aws | g4dn.xlarge | T4 | 1 | 16 | 4 | 16 |  | on_demand | instance | 0.53 | fullStack | 2023-10-30 | claimed |
aws | g4dn.xlarge | T4 | 1 | 16 | 4 | 16 |  | spot | instance | 0.16 | fullStack | 2023-10-30 | claimed |
aws | g5.xlarge | A10G | 1 | 24 | 4 | 16 |  | on_demand | instance | 1.01 | fullStack | 2023-10-30 | claimed |
aws | g5.xlarge | A10G | 1 | 24 | 4 | 16 |  | spot | instance | 0.3 | fullStack | 2023-10-30 | claimed |
aws | p3.2xlarge | V100 | 1 | 16 | 8 | 61 |  | on_demand | instance | 3.06 | fullStack | 2023-10-30 | claimed |
aws | p3.2xlarge | V100 | 1 | 16 | 8 | 61 |  | spot | instance | 0.92 | fullStack | 2023-10-30 | claimed |
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 | 24 | 220 |  | on_demand | instance | 3.67 | fullStack | 2023-10-30 | claimed |
azure | Standard_NC24ads_A100_v4 | A100 | 1 | 80 | 24 | 220 |  | spot | instance | 1.47 | fullStack | 2023-10-30 | claimed |
gcp | a2-highgpu-1g | A100 | 1 | 40 | 12 | 85 |  | on_demand | instance | 3.67 | fullStack | 2023-10-30 | claimed |
gcp | a2-highgpu-1g | A100 | 1 | 40 | 12 | 85 |  | spot | instance | 1.1 | fullStack | 2023-10-30 | claimed |
gcp | a2-highgpu-8g | A100 | 8 | 40 | 96 | 680 |  | on_demand | instance | 29.36 | fullStack | 2023-10-30 | claimed |
gcp | a2-highgpu-8g | A100 | 8 | 40 | 96 | 680 |  | spot | instance | 8.81 | fullStack | 2023-10-30 | claimed |
gcp | n1-highmem-8 + T4 | T4 | 1 | 16 | 8 | 52 |  | on_demand | instance | 0.82 | fullStack | 2023-10-30 | claimed |
gcp | n1-highmem-8 + T4 | T4 | 1 | 16 | 8 | 52 |  | spot | instance | 0.21 | fullStack | 2023-10-30 | claimed |
`;
