import type { TenantAction, XidOwner } from "./codes";

/** Beside what the table says of one code, what a whole incident asks for. */
export type VerdictAction =
  | TenantAction
  | "drain_reset"
  | "drain_p2p"
  | "reboot"
  | "nothing"
  | "solo_45"
  | "suspect_hardware";

export const OWNER_WORDS: Readonly<Record<XidOwner, string>> = {
  workload: "the application",
  memory: "GPU memory",
  nvlink: "NVLink",
  firmware: "GPU firmware or driver",
  platform: "PCIe and platform",
  c2c: "the link to the Grace CPU",
  other: "not settled",
};

const RESET = "reset it in the machine (sudo nvidia-smi --gpu-reset) or restart the instance";
const AGAIN = "If it comes back, launch another instance and open a ticket with Lambda.";

/** What a tenant does, who has the machine but not the hardware: in a word or two, and in sentences. */
export const TENANT_STEPS: Readonly<Record<VerdictAction, { label: string; steps: string }>> = {
  tell_owner: {
    label: "Tell the workload's owner",
    steps:
      "Tell whoever runs the work; it is theirs to fix, and the application must be started again. The instance needs nothing.",
  },
  monitor: { label: "Watch", steps: "Nothing now. If it comes back, open a ticket with Lambda." },
  plan_reset: {
    label: "Plan a reset",
    steps: `Nothing now; work may go on. In the next quiet hour, ${RESET}.`,
  },
  restart_app: {
    label: "Restart the application",
    steps: `Restart the application that it names. In the next quiet hour, ${RESET}. Watch for Xid 48, 64 and 95.`,
  },
  reset: { label: "Reset the GPU", steps: `Move the work off this GPU, then ${RESET}. ${AGAIN}` },
  drain_reset: {
    label: "Drain and reset the GPU",
    steps: `Give this GPU no new work, let what runs save its state and end, then ${RESET}. ${AGAIN}`,
  },
  drain_p2p: {
    label: "Stop peer traffic, then reset",
    steps: `End the work that uses this GPU together with others (NCCL, peer copies), then ${RESET}. ${AGAIN}`,
  },
  reboot: {
    label: "Restart the instance",
    steps: `Restart the instance: the driver says that nothing less helps. ${AGAIN}`,
  },
  restart_instance: {
    label: "Restart the instance",
    steps: "Restart the instance. If it comes back, terminate it, launch another and open a ticket with Lambda.",
  },
  drain_ticket: {
    label: "Drain, then open a ticket",
    steps:
      "Move the work off this GPU and open a ticket with Lambda, with the line as it stands: the other end of the link may be at fault.",
  },
  ticket: {
    label: "Open a ticket",
    steps:
      "This is the provider's hardware: open a ticket with Lambda, and launch another instance if the work cannot wait.",
  },
  follow_48: {
    label: "Reset the GPU",
    steps: `Handle it as Xid 48: move the work off this GPU, then ${RESET}. ${AGAIN}`,
  },
  follow_other: { label: "Follow the other Xid", steps: "Nothing of its own: it follows another error." },
  follow_text: {
    label: "Read the driver's line",
    steps:
      "The driver names the recovery in the text of its line, which was not seen here. Look for Xid 154 in dmesg on the machine and do what it says.",
  },
  nothing: { label: "Nothing", steps: "The driver asks for no recovery." },
  solo_45: {
    label: "Nothing, if it was stopped",
    steps:
      "Nothing, if somebody stopped the process. Otherwise start it again; on machines with NVSwitch, restart Fabric Manager too.",
  },
  suspect_hardware: {
    label: "Suspect the hardware",
    steps:
      "Run the same work on another GPU. If it fails there too, it is the application. If not, run dcgmi diag -r 3 on this one and open a ticket with Lambda.",
  },
};

/** NVIDIA's buckets of action, in plain words. */
const BUCKETS: Readonly<Record<string, string>> = {
  IGNORE: "nothing to do",
  RESTART_APP: "restart the application",
  RESET_GPU: "reset the GPU",
  RESTART_VM: "restart the virtual machine",
  RESTART_BM: "restart the host",
  WORKFLOW_XID_48: "alone: reset the GPU; with 63 or 64: drain and reset it",
  WORKFLOW_XID_45: "alone: restart Fabric Manager; otherwise follow the other Xid",
  WORKFLOW_XID_13: "look for a pattern: same place again, or moving",
  WORKFLOW_XID_31: "look for a pattern: same GPU again, or moving",
  WORKFLOW_NVLINK_ERR: "decode the registers in the line",
  WORKFLOW_NVLINK5_ERR: "decode the registers in the line",
  XID_154: "do what its text says",
  XID_137_FLOW: "look for the peer's illegal access",
  CHECK_UVM: "with unified memory in use: reset the GPU; otherwise nothing",
  CHECK_MECHANICALS: "check seating, cables and power",
  "CHECK_APP/CUDA": "check the application's data and CUDA use",
  UPDATE_SWFW: "update firmware or driver",
  INVESTIGATE_SW: "look into the software",
  INVESTIGATE_SW_USER: "look into the software",
  INVESTIGATE_LINK_SI: "look into the link's signal",
  CONTACT_SUPPORT: "contact support",
  SYMPATHETIC_REPORT_SOLO: "follows another error; report it only if alone",
  "IGNORE (sympathetic)": "nothing: follows another error",
  "Solo: RESTART_FM Not Solo: IGNORE (follow other Xid)": "alone: restart Fabric Manager; otherwise nothing",
  "N/A Informational only regarding another Xid": "for information, beside another Xid",
};

/** NVIDIA's action in plain words; as NVIDIA writes it where we have none. */
export function bucketWords(bucket: string | null): string {
  return bucket === null ? "none published" : (BUCKETS[bucket] ?? bucket);
}
