/*
 * Facts (code, mnemonic, meaning, immediate and investigatory action, since which driver Xid 154 accompanies it, GPUs): NVIDIA,
 * "Analyzing Xid Errors with the Xid Catalog", docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html, sheet of 2025-10-29;
 * the line of 172 was cut there, its GPUs are taken as those of 171. Severity, owner and what a tenant does: our own judgement.
 * RC_ stands for ROBUST_CHANNEL_; AHBG for A100, H100, B100, GB200.
 */

/** code | mnemonic | meaning | GPUs | immediate | investigatory | Xid 154 since | severity | owner | tenant */
export const CODES = `
8|RC_FIFO_ERROR_IDLE_TIMEOUT|GPU stopped processing|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
11|RC_GR_ERROR_MISSING_HW|Invalid or corrupted push buffer stream|AHBG|RESTART_APP|CHECK_APP/CUDA|-|warning|workload|tell_owner
13|RC_GR_EXCEPTION / RC_GR_ERROR_SW_NOTIFY|Graphics Engine Exception|AHBG|RESTART_APP|WORKFLOW_XID_13|-|warning|workload|tell_owner
14|RC_FAKE_ERROR|Unused|AHBG|IGNORE|CONTACT_SUPPORT|-|info|other|-
16|RC_VBLANK_CALLBACK_TIMEOUT|Unused|-|CONTACT_SUPPORT|CONTACT_SUPPORT|-|info|other|-
25|RC_GR_ILLEGAL_NOTIFY|Invalid or illegal push buffer stream|AHBG|RESTART_APP|CHECK_APP/CUDA|-|warning|workload|tell_owner
31|RC_FIFO_ERROR_MMU_ERR_FLT|GPU memory page fault|AHBG|RESTART_APP|WORKFLOW_XID_31|-|warning|workload|tell_owner
32|RC_PBDMA_ERROR|Invalid or corrupted push buffer stream|AHBG|RESTART_APP|CHECK_APP/CUDA|-|warning|workload|tell_owner
37|RC_FECS_ERR_UNIMP_FIRMWARE_METHOD|Driver firmware error|AHBG|IGNORE|CHECK_APP/CUDA|-|info|other|monitor
38|RC_FECS_ERR_WATCHDOG_TIMEOUT|Driver firmware error|AHBG|IGNORE|CONTACT_SUPPORT|-|info|other|monitor
39|RC_CE0_ERROR|Copy Engine Exception|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
40|RC_CE1_ERROR|Copy Engine Exception|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
41|RC_CE2_ERROR|Copy Engine Exception|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
43|RC_RESETCHANNEL_VERIF_ERROR|GPU stopped processing|AHBG|IGNORE|CONTACT_SUPPORT|-|info|workload|monitor
44|RC_GR_FAULT_DURING_CTXSW|Graphics Engine fault during context switch|AHBG|IGNORE|CONTACT_SUPPORT|-|info|workload|monitor
45|RC_PREEMPTIVE_REMOVAL|Preemptive cleanup, due to previous errors -- Most likely to see when running multiple cuda applications and hitting a DBE|AHBG|WORKFLOW_XID_45|Solo: RESTART_FM Not Solo: IGNORE (follow other Xid)|-|warning|workload|follow_other
46|RC_GPU_TIMEOUT_ERROR|GPU stopped processing|AHBG|RESET_GPU|CONTACT_SUPPORT|-|critical|other|reset
48|RC_GPU_ECC_DBE|Double Bit ECC Error|AHBG|WORKFLOW_XID_48|WORKFLOW_XID_48|R565|critical|memory|reset
54|SILENT_RUNNING_PWR_REDUCED_CLOCKING|Auxiliary power is not connected to the GPU board|AHB|CHECK_MECHANICALS|CONTACT_SUPPORT|-|critical|platform|ticket
60|RC_SEC2_ERROR|Video processor exception|AHBG|RESTART_APP|INVESTIGATE_SW|-|warning|workload|tell_owner
62|PMU_HALT_ERROR|Internal micro-controller halt (newer drivers)|AHBG|RESET_GPU|CONTACT_SUPPORT|R565|critical|firmware|reset
63|INFOROM_DRAM_RETIREMENT_EVENT|GPU memory remapping event|AHBG|IGNORE|IGNORE|R565|warning|memory|plan_reset
64|INFOROM_DRAM_RETIREMENT_FAILURE|GPU memory remapping failure|AHBG|RESET_GPU|CONTACT_SUPPORT|R565|critical|memory|reset
66|RC_FECS_ERR_REG_ACCESS_VIOLATION|Illegal access by driver|AHBG|IGNORE|INVESTIGATE_SW|-|info|other|monitor
67|RC_FECS_ERR_VERIF_VIOLATION|Illegal access by driver|AHBG|IGNORE|CONTACT_SUPPORT|-|info|other|monitor
68|RC_NVDEC0_ERROR|NVDEC0 Exception|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
69|RC_GR_CLASS_ERROR|Graphics Engine class error|AHBG|RESTART_APP|CHECK_APP/CUDA|-|warning|workload|tell_owner
70|RC_CE3_ERROR|CE3: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
71|RC_CE4_ERROR|CE4: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
72|RC_CE5_ERROR|CE5: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
74|NVLINK_ERROR|NVLINK Error|AH|WORKFLOW_NVLINK_ERR|CONTACT_SUPPORT|R565|critical|nvlink|drain_ticket
75|RC_CE6_ERROR|CE6: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
76|RC_CE7_ERROR|CE7: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
77|RC_CE8_ERROR|CE8: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
78|VGPU_START_ERROR|vGPU Start Error|AHBG|UPDATE_SWFW|UPDATE_SWFW|-|warning|other|monitor
79|RC_GPU_HAS_FALLEN_OFF_THE_BUS|GPU has fallen off the bus|AHBG|RESTART_BM|CONTACT_SUPPORT|R565|critical|platform|restart_instance
80|PBDMA_PUSHBUFFER_CRC_MISMATCH|Corrupted data sent to GPU|AH|RESTART_APP|CHECK_APP/CUDA|-|warning|workload|tell_owner
82|RC_NVJPG0_ERROR|NVJPG0 Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
83|RC_NVDEC1_ERROR|NVDEC1 Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
84|RC_NVDEC2_ERROR|NVDEC2 Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
85|RC_CE9_ERROR|CE9: Unknown Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
86|RC_OFA0_ERROR|OFA Exception|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
88|RC_NVDEC3_ERROR|NVDEC3 Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
89|RC_NVDEC4_ERROR|NVDEC4 Error|AHBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
92|EXCESSIVE_SBE_INTERRUPTS|High single-bit ECC error rate|AHBG|IGNORE|CONTACT_SUPPORT|-|warning|memory|plan_reset
93|INFOROM_ERASE_LIMIT_EXCEEDED|Non-fatal violation of provisioned InfoROM wear limit|A|IGNORE|CONTACT_SUPPORT|-|info|other|monitor
94|RC_CONTAINED_ERROR|Contained memory error|AHBG|RESTART_APP|IGNORE (sympathetic)|R565|warning|memory|restart_app
95|RC_UNCONTAINED_ERROR|Uncontained memory error|AHBG|RESET_GPU|IGNORE (sympathetic)|R565|critical|memory|reset
96|RC_NVDEC5_ERROR|NVDEC5 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
97|RC_NVDEC6_ERROR|NVDEC6 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
98|RC_NVDEC7_ERROR|NVDEC7 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
99|RC_NVJPG1_ERROR|NVJPG1 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
100|RC_NVJPG2_ERROR|NVJPG2 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
101|RC_NVJPG3_ERROR|NVJPG3 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
102|RC_NVJPG4_ERROR|NVJPG4 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
103|RC_NVJPG5_ERROR|NVJPG5 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
104|RC_NVJPG6_ERROR|NVJPG6 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
105|RC_NVJPG7_ERROR|NVJPG7 Error|HBG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
106|SMBPBI_TEST_MESSAGE|SMBPBI Test Message|AHBG|IGNORE|IGNORE|-|info|other|monitor
107|SMBPBI_TEST_MESSAGE_SILENT|SMBPBI Test Message Silent|AHBG|IGNORE|IGNORE|-|info|other|monitor
108|NVLINK_REMOTE_TRANSLATION_ERROR|Unused|AHBG|IGNORE|XID_137_FLOW|-|info|other|-
109|RC_CTXSW_TIMEOUT_ERROR|Context Switch Timeout Error|AHBG|RESET_GPU|CONTACT_SUPPORT|R570|critical|firmware|reset
110|SEC_FAULT_ERROR|Security Fault Error|HBG|RESET_GPU|INVESTIGATE_SW|R565|critical|other|reset
119|GSP_RPC_TIMEOUT|GSP RPC Timeout|AHBG|RESET_GPU|INVESTIGATE_SW|-|critical|firmware|reset
120|GSP_ERROR|GSP Error|AHBG|RESET_GPU|INVESTIGATE_SW|R565|critical|firmware|reset
121|C2C_ERROR|C2C Error|G|IGNORE|CONTACT_SUPPORT|-|info|c2c|monitor
126|RC_CE10_ERROR|CE10: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
127|RC_CE11_ERROR|CE11: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
128|RC_CE12_ERROR|CE12: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
129|RC_CE13_ERROR|CE13: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
130|RC_CE14_ERROR|CE14: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
131|RC_CE15_ERROR|CE15: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
132|RC_CE16_ERROR|CE16: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
133|RC_CE17_ERROR|CE17: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
134|RC_CE18_ERROR|CE18: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
135|RC_CE19_ERROR|CE19: Unknown Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
136|ALI_TRAINING_FAIL|Link Training Failed|H|RESET_GPU|INVESTIGATE_LINK_SI|R565|critical|nvlink|reset
137|NVLINK_PRIV_ERR|NVLink Privilege Error|AHBG|IGNORE|XID_137_FLOW|-|info|nvlink|monitor
139|RC_OFA1_ERROR|OFA1 Error|BG|RESTART_APP|CONTACT_SUPPORT|-|warning|workload|tell_owner
140|UNRECOVERABLE_ECC_ERROR_ESCAPE|ECC Unrecovered Error|AHBG|RESET_GPU|CONTACT_SUPPORT|-|critical|memory|reset
141|RC_FAST_PATH_ERROR|CUDA Fast Path Error|HBG|IGNORE|CONTACT_SUPPORT|-|info|other|monitor
142|RC_NVENC3_ERROR|NVENC3 Error|G|CONTACT_SUPPORT|-|-|warning|other|monitor
143|GPU_INIT_ERROR|GPU Initialization Error|HBG|RESET_GPU|CONTACT_SUPPORT|R575|critical|firmware|reset
144|NVLINK_SAW_ERROR|NVLINK: SAW Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
145|NVLINK_RLW_ERROR|NVLINK: RLW Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
146|NVLINK_TLW_ERROR|NVLINK: TLW Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
147|NVLINK_TREX_ERROR|NVLINK: TREX Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
148|NVLINK_NVLPW_CTRL_ERROR|NVLINK: NVLPW_CTRL Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
149|NVLINK_NETIR_ERROR|NVLINK: NETIR Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
150|NVLINK_MSE_ERROR|NVLINK: MSE Error|BG|WORKFLOW_NVLINK5_ERR|WORKFLOW_NVLINK5_ERR|R565|critical|nvlink|drain_ticket
151|RC_KEY_ROTATION_ERROR|Key rotation Error|HBG|RESTART_VM|CONTACT_SUPPORT|-|critical|other|reset
152|RC_DLA_SMMU_ERROR|DLA SMMU Error|-|IGNORE|CONTACT_SUPPORT|-|info|other|monitor
153|RC_DLA_TIMEOUT|DLA timeout Error|-|IGNORE|CONTACT_SUPPORT|-|info|other|monitor
154|GPU_RECOVERY_ACTION_CHANGED|GPU Recovery Action Changed|AHBG|XID_154|N/A Informational only regarding another Xid|-|follow_text|other|follow_text
155|NVLINK_SW_DEFINED_ERROR|NVLINK: SW Defined Error|BG|RESET_GPU|INVESTIGATE_SW_USER|R565|critical|nvlink|reset
156|RESOURCE_RETIREMENT_EVENT|Resource Retirement Event|HBG|RESET_GPU|IGNORE|R565|critical|memory|reset
157|RESOURCE_RETIREMENT_FAILURE|Resource Retirement Failure|HBG|IGNORE|CONTACT_SUPPORT|-|warning|memory|monitor
158|GPU_FATAL_TIMEOUT|GPU Fatal Timeout|AHBG|RESET_GPU|CONTACT_SUPPORT|from introduction|critical|firmware|reset
159|RC_CHI_NON_DATA_ERROR|CHI Non-Data Error|BG|CHECK_UVM|SYMPATHETIC_REPORT_SOLO|from introduction|critical|c2c|reset
160|CHANNEL_RETIREMENT_EVENT|Channel Retirement Event|BG|IGNORE|INVESTIGATE_SW|R575|info|other|monitor
161|CHANNEL_RETIREMENT_FAILURE|Channel Retirement Failure|BG|IGNORE|INVESTIGATE_SW|R575|info|other|monitor
162|PSHC_REENGAGED|Power Smoothing HW Circuitry capability reengaged|BG|-|-|-|info|other|monitor
163|PSHC_DISENGAGED|Power Smoothing HW Circuitry capability disengaged|BG|-|-|-|info|other|monitor
164|PSHC_LOW_LIFETIME|Power Smoothing HW Circuitry low lifetime reached|BG|-|-|-|info|other|monitor
165|PSHC_ZERO_LIFETIME|Power Smoothing HW Circuitry lifetime exhausted|BG|-|-|-|info|other|monitor
166|NVLINK_SECURE_CRYPTO_ERR|CC traffic seen prior to link properly being configured for encrypted traffic|BG|-|-|-|info|other|monitor
167|PCIE_FATAL_TIMEOUT|PCIE_FATAL_TIMEOUT|HBG|-|-|-|critical|platform|ticket
168|REDUCED_GPU_MEMORY_CAPACITY|Errors found in WPR (write protected region)|AHBG|-|-|-|critical|memory|ticket
169|SEC2_HALT_ERROR|Internal micro-controller halt|HBG|-|-|-|info|firmware|monitor
170|NVLINK_SECURE_OTHER|Interrupt seen in CC mode|BG|-|-|-|info|other|monitor
171|UNCORRECTABLE_DRAM_ERROR|Additional to Xid 48 providing more details on particulars of fault to differentiate DRAM/SRAM|AHBG|-|-|-|critical|memory|follow_48
172|UNCORRECTABLE_SRAM_ERROR|Additional to Xid 48 providing more details on particulars of fault to differentiate DRAM/SRAM|AHBG|-|-|-|critical|memory|follow_48
`;

/** Codes that NVIDIA lists as unused from Ampere on, with the mnemonics they had. */
export const RETIRED = `
1:RC_FIFO_ERROR_FIFO_METHOD 2:RC_FIFO_ERROR_SW_METHOD 3:RC_FIFO_ERROR_UNK_METHOD
4:RC_FIFO_ERROR_CHANNEL_BUSY 5:RC_FIFO_ERROR_RUNOUT_OVERFLOW 6:RC_FIFO_ERROR_PARSE_ERR
7:RC_FIFO_ERROR_PTE_ERR 9:RC_GR_ERROR_INSTANCE 10:RC_GR_ERROR_SINGLE_STEP
12:RC_GR_ERROR_SW_METHOD 15:RC_SCANLINE_TIMEOUT 17:RC_PARAMETER_ERROR
18:RC_BUS_MASTER_TIMEOUT_ERROR 19:RC_DISP_MISSED_NOTIFIER 20:RC_MPEG_ERROR_SW_METHOD
21:RC_ME_ERROR_SW_METHOD 22:RC_VP_ERROR_SW_METHOD 23:RC_RC_LOGGING_ENABLED
24:RC_GR_SEMAPHORE_TIMEOUT 26:RC_FIFO_ERROR_FBISTATE_TIMEOUT 27:RC_VP_ERROR
28:RC_VP2_ERROR 29:RC_BSP_ERROR 30:RC_BAD_ADDR_ACCESS
33:RC_SEC_ERROR 34:RC_MSVLD_ERROR 35:RC_MSPDEC_ERROR
36:RC_MSPPP_ERROR 42:RC_VIC_ERROR 47:RC_NVENC0_ERROR
49:SILENT_RUNNING_CONSTANT_LEVEL_SET_BY_REGISTRY 50:SILENT_RUNNING_LEVEL_TRANSITION_DUE_TO_RC_ERROR 51:SILENT_RUNNING_STRESS_TEST_FAILURE
52:SILENT_RUNNING_LEVEL_TRANS_DUE_TO_TEMP_RISE 53:SILENT_RUNNING_TEMP_REDUCED_CLOCKING 55:SILENT_RUNNING_TEMPERATURE_READ_ERROR
56:DISPLAY_CHANNEL_EXCEPTION 57:FB_LINK_TRAINING_FAILURE_ERROR 58:FB_MEMORY_ERROR
59:PMU_ERROR 61:PMU_BREAKPOINT 65:RC_NVENC1_ERROR
73:RC_NVENC2_ERROR 81:RC_VGA_SUBSYSTEM_ERROR 87:NVTELEMETRY_DRIVER_REPORT
90:LTC_ERROR 91:RESERVED_XID 111:BUNDLE_ERROR_EVENT
112:DISP_SUPERVISOR_ERROR 113:DP_LT_FAILURE 114:HEAD_RG_UNDERFLOW
115:CORE_CHANNEL_REGS 116:WINDOW_CHANNEL_REGS 117:CURSOR_CHANNEL_REGS
118:HEAD_REGS 122:SPI_PMU_RPC_READ_FAIL 123:SPI_PMU_RPC_WRITE_FAIL
124:SPI_PMU_RPC_ERASE_FAIL 125:INFOROM_FS_ERROR 138:RC_DLA_ERROR
`;

/** What the catalogue says about when a code comes, in our words. */
export const NOTES: Readonly<Record<number, string>> = {
  13: "Mostly an illegal instruction or an address out of bounds in the application; rarely the hardware. On the same TPC and GPC again and again, suspect the hardware.",
  14: "Made from outside the driver, to try the path that such lines take.",
  31: "An illegal address, mostly the application's. Again and again on one GPU, suspect the hardware; moving between GPUs, it is the application.",
  32: "Mostly the quality of the PCIe signal, rarely the application's code.",
  43: "The application met a software fault and must end. The GPU stays healthy.",
  45: "What a dying application leaves is cleaned up: it was stopped, killed, or another error came first.",
  48: "Memory held an error that ECC could not correct. A reset of the GPU, or a reboot, clears it.",
  63: "A row of memory was marked for replacement. It worked, and takes effect at the next reset. Not an outage.",
  64: "A row of memory could not be marked for replacement.",
  74: "A link to a peer or a switch failed; it may be the other end's fault. The registers in the line tell which.",
  79: "The driver reaches the GPU no more. Its metrics go silent rather than bad.",
  92: "Corrected memory errors come often. Watch for 48, 63 and 64.",
  93: "The configured wear limit of the card's own store was passed. For information.",
  94: "A memory error that was kept within one application: only that one must restart. Reset the GPU when it suits.",
  95: "A memory error that was not kept within one application: every application on the GPU is affected.",
  109: "A switch between contexts did not end in time.",
  110: "Uncommon; the hardware is suspected. A cold reset after undoing a recent change of hardware.",
  119: "The firmware on the GPU (GSP) did not answer in time.",
  120: "The firmware on the GPU (GSP) reported an error. Handled as 119.",
  121: "Corrected errors on the link between Grace and the GPU. No effect on work; a reset in a maintenance window retrains the link.",
  136: "An NVLink could not be trained.",
  137: "A peer's illegal access over NVLink, mostly the application's.",
  140: "An uncorrectable memory error interrupted the bookkeeping of replaced rows.",
  143: "The GPU could not be initialised.",
  154: "Not a fault: the driver names the recovery that it requires. Its text decides.",
  155: "A link went down and was flagged as meant.",
  156: "A part of the GPU was retired; a reset makes it take effect.",
  157: "Nothing is left to replace a failing part with. Work may run, and will meet it again.",
  158: "The GPU met a timeout that it cannot recover from.",
  159: "An error on the link between CPU and GPU. Where unified memory is in use, reset; otherwise nothing. May come on any GPU with such a link, GH200 too.",
  162: "Power smoothing is engaged again.",
  163: "Power smoothing was disengaged, by temperature or time.",
  164: "The power-smoothing circuit nears its end of life.",
  165: "The power-smoothing circuit is at its end of life.",
  167: "PCIe met a timeout that it cannot recover from. NVIDIA publishes no action.",
  168: "The card has less memory than it should: errors in a protected region, with ECC off. Watch the size of its VRAM.",
  171: "Beside 48: the fault was in DRAM.",
  172: "Beside 48: the fault was in SRAM.",
};
