/* Prints as nvidia-smi makes them, written by hand and short: what a parser of each is tried on. */

const Q_CARD = `GPU 00000009:01:00.0
    Product Name                          : NVIDIA GH200 480GB
    MIG Mode
        Current                           : Disabled
        Pending                           : Disabled
    GPU UUID                              : GPU-aa000000-0000-0000-0000-000000000001
    Minor Number                          : 3
    PCI
        Bus Id                            : 00000009:01:00.0
        GPU Link Info
            PCIe Generation
                Max                       : 4
    Performance State                     : P0
    Clocks Event Reasons
        Idle                              : Not Active
        SW Power Cap                      : Active
        HW Slowdown                       : Not Active
            HW Thermal Slowdown           : Not Active
            HW Power Brake Slowdown       : Active
    FB Memory Usage
        Total                             : 97871 MiB
        Reserved                          : 1103 MiB
        Used                              : 41000 MiB
        Free                              : 55768 MiB
    BAR1 Memory Usage
        Total                             : 131072 MiB
        Used                              : 7 MiB
    Conf Compute Protected Memory Usage
        Used                              : 0 MiB
    Utilization
        GPU                               : 93 %
        Memory                            : 41 %
    ECC Errors
        Volatile
            DRAM Uncorrectable            : 5
        Aggregate
            DRAM Uncorrectable            : 2
    Remapped Rows
        Correctable Error                 : 1
        Uncorrectable Error               : 2
        Pending                           : Yes
        Remapping Failure Occurred        : No
    Temperature
        GPU Current Temp                  : 61 C
        GPU Slowdown T.Limit Temp         : -2 C
        Memory Current Temp               : 70 C
    GPU Power Readings
        Average Power Draw                : N/A
        Instantaneous Power Draw          : 512.34 W
        Current Power Limit               : 700.00 W
        Requested Power Limit             : 900.00 W
    GPU Memory Power Readings 
        Average Power Draw                : 85.83 W
        Instantaneous Power Draw          : N/A
    Module Power Readings
        Power Draw                        : 801.00 W
        Current Power Limit               : 1000.00 W
    Clocks
        Graphics                          : 1980 MHz
        SM                                : 1975 MHz
        Memory                            : 2619 MHz
    Max Clocks
        SM                                : 1980 MHz
    Processes
        GPU instance ID                   : N/A
        Compute instance ID               : N/A
        Process ID                        : 4242
            Type                          : C
            Name                          : /usr/bin/python3 -c a:b
            Used GPU Memory               : 40960 MiB
        GPU instance ID                   : N/A
        Process ID                        : 4243
            Type                          : C
            Name                          : C:\\tools\\burn.exe
            Used GPU Memory               : Not available in WDDM driver model
`;

const Q_HEAD = `
==============NVSMI LOG==============

Timestamp                                 : Sat Nov 21 10:00:00 2026
Driver Version                            : 570.124.06
CUDA Version                              : 12.8

`;

/** One GH200 at work, outside PCI domain 0. */
export const Q_PRINT = `${Q_HEAD}Attached GPUs                             : 1\n${Q_CARD}`;

/** An A100 in two slices, and a card of the older layout. */
export const Q_MIG_PRINT = `${Q_HEAD}Attached GPUs                             : 2
GPU 00000000:07:00.0
    Product Name                          : NVIDIA A100-SXM4-40GB
    MIG Mode
        Current                           : Enabled
    MIG Device
        Index                             : 0
        GPU Instance ID                   : 2
        Compute Instance ID               : 0
        Device Attributes
            Shared
                Multiprocessor count      : 42
        FB Memory Usage
            Total                         : 20096 MiB
            Used                          : 3892 MiB
    MIG Device
        Index                             : 1
        GPU Instance ID                   : 3
        Compute Instance ID               : 1
        Shared FB Memory Usage
            Total                         : 9984 MiB
            Used                          : 62 MiB
    GPU UUID                              : GPU-aa000000-0000-0000-0000-000000000002
    FB Memory Usage
        Total                             : 40960 MiB
        Used                              : 4017 MiB
    Utilization
        Gpu                               : N/A
    Processes                             : None
GPU 00000000:08:00.0
    Product Name                          : Tesla V100-SXM2-16GB
    GPU UUID                              : GPU-aa000000-0000-0000-0000-000000000003
    Clocks Throttle Reasons
        Idle                              : Active
        SW Power Cap                      : Not Active
    FB Memory Usage
        Total                             : 16384 MiB
        Used                              : 1 MiB
    ECC Errors
        Aggregate
            Single Bit            
                Device Memory             : 9
            Double Bit            
                Device Memory             : 4
                Total                     : 5
    Temperature
        GPU Current Temp                  : 37 C
        GPU Slowdown Temp                 : 87 C
    Power Readings
        Power Management                  : Supported
        Power Draw                        : 44.50 W
        Power Limit                       : 300.00 W
        Enforced Power Limit              : 250.00 W
    Processes                             : None
`;

export const TABLE_PRINT = `Sat Nov 21 10:00:00 2026       
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 570.124.06             Driver Version: 570.124.06     CUDA Version: 12.8     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA GH200 480GB             On  |   00000009:01:00.0 Off |                    0 |
| N/A   61C    P0            512W /  700W |   41000MiB /  97871MiB |     93%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA RTX 4000 Ada Gene...    Off |   00000000:0C:00.0  On |                  Off |
|ERR!   45C    P2             N/A /  N/A  |                  N/A   |     N/A      Default |
|                                         |                        |                 ERR! |
+-----------------------------------------+------------------------+----------------------+

+-----------------------------------------------------------------------------------------+
| Processes:                                                                              |
|  GPU   GI   CI              PID   Type   Process name                        GPU Memory |
|        ID   ID                                                               Usage      |
|=========================================================================================|
|    0   N/A  N/A            4242      C   python train.py | tee                40960MiB |
|    1   N/A  N/A             777    C+G   ...m Files\\NZXT CAM\\NZXT CAM.exe      N/A      |
+-----------------------------------------------------------------------------------------+
`;

/** The layout before driver 530, with slices. */
export const OLD_TABLE_PRINT = `Sat Nov 21 10:00:00 2026       
+-----------------------------------------------------------------------------+
| NVIDIA-SMI 515.43.04    Driver Version: 515.43.04    CUDA Version: 11.7     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|                               |                      |               MIG M. |
|===============================+======================+======================|
|   7  NVIDIA A100-SXM...  On   | 00000000:F9:00.0 Off |                   On |
| N/A   31C    P0    51W / 400W |   4017MiB / 40960MiB |     N/A      Default |
|                               |                      |              Enabled |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| MIG devices:                                                                |
+------------------+----------------------+-----------+-----------------------+
| GPU  GI  CI  MIG |         Memory-Usage |        Vol|         Shared        |
|      ID  ID  Dev |           BAR1-Usage | SM     Unc| CE  ENC  DEC  OFA  JPG|
|                  |                      |        ECC|                       |
|==================+======================+===========+=======================|
|  7    2   0   0  |   3892MiB / 20096MiB | 42      0 |  3   0    2    0    0 |
|                  |      0MiB / 12210MiB |           |                       |
+------------------+----------------------+-----------+-----------------------+
|  7    3   1   1  |     62MiB /  9984MiB | 28      0 |  2   0    1    0    0 |
|                  |      0MiB /  6105MiB |           |                       |
+------------------+----------------------+-----------+-----------------------+

+-----------------------------------------------------------------------------+
| Processes:                                                                  |
|  GPU   GI   CI        PID   Type   Process name                  GPU Memory |
|        ID   ID                                                   Usage      |
|=============================================================================|
|  No running processes found                                                 |
+-----------------------------------------------------------------------------+
`;

export const CSV_PRINT = `timestamp, index, uuid, name, pci.bus_id, driver_version, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W], power.limit [W], clocks_event_reasons.active
2026/11/21 10:00:00.000, 0, GPU-aa000000-0000-0000-0000-000000000001, NVIDIA GH200 480GB, 00000009:01:00.0, 570.124.06, 93 %, 41000 MiB, 97871 MiB, 61, 512.34 W, 700.00 W, 0x0000000000000004
2026/11/21 10:00:00.000, 1, GPU-aa000000-0000-0000-0000-000000000002, NVIDIA GH200 480GB, 00000019:01:00.0, 570.124.06, [N/A], 3 MiB, 97871 MiB, 31, [Unknown Error], 700.00 W, 0x0000000000000001
`;

export const XML_PRINT = `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
	<timestamp>Sat Nov 21 10:00:00 2026</timestamp>
	<driver_version>570.124.06</driver_version>
	<attached_gpus>1</attached_gpus>
	<gpu id="00000009:01:00.0">
		<product_name>NVIDIA GH200 480GB</product_name>
		<uuid>GPU-aa000000-0000-0000-0000-000000000001</uuid>
		<fb_memory_usage><total>97871 MiB</total><used>41000 MiB</used></fb_memory_usage>
		<utilization><gpu_util>93 %</gpu_util></utilization>
		<gpu_power_readings><power_draw>512.34 W</power_draw></gpu_power_readings>
		<processes><process_info><pid>4242</pid><process_name>python</process_name><used_memory>40960 MiB</used_memory></process_info></processes>
	</gpu>
</nvidia_smi_log>
`;

export const APPS_PRINT = `gpu_uuid, pid, process_name, used_gpu_memory [MiB]
GPU-aa000000-0000-0000-0000-000000000001, 4242, python, 40960 MiB
`;

export const KERNEL_PRINT = `[ 1234.567890] NVRM: GPU at PCI:0009:01:00: GPU-aa000000-0000-0000-0000-000000000001
[ 2345.678901] NVRM: Xid (PCI:0009:01:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.
2026-11-21T10:00:00,000000+00:00 NVRM: Xid (PCI:0009:01:00): 94, pid=4242, name=python, Contained: DBE
`;

export const AGENT_PRINT = `#agent protocol=2 version=2.0.0 host=gh-1 interval=10 sent_at=2026-11-21T10:00:01Z
#gpu at=2026-11-21T10:00:00Z
${CSV_PRINT}#apps at=2026-11-21T10:00:00Z
${APPS_PRINT}#error at=2026-11-21T09:59:50Z status=9
NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.
`;

export const METRICS_PRINT = `# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aa000000-0000-0000-0000-000000000001",Hostname="gh-1"} 93
DCGM_FI_DEV_MEMORY_TEMP{gpu="0",UUID="GPU-aa000000-0000-0000-0000-000000000001",Hostname="gh-1"} 9223372036854775794
DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="GPU-aa000000-0000-0000-0000-000000000001",Hostname="gh-1"} 79
`;

export const DMON_PRINT = `# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg    ofa   mclk   pclk 
# Idx      W      C      C      %      %      %      %      %      %    MHz    MHz 
    0    631     63     57    100     10      0      0      0      0   2619   1980 
`;
