"""Captures as tools print them: shapes of real outputs, filled with a world's figures."""

from collections.abc import Mapping, Sequence
from random import Random

from tests.synthetic.world import Platform, Work, World

GIB = 2**30


def prompt(host: str, command: str) -> str:
    return f"root@{host}:~# {command}\n"


def ibstat(w: World, host: str) -> str:
    layer = "InfiniBand" if w.technology == "ib" else "Ethernet"
    text = prompt(host, "ibstat")
    slow = w.facts.get("rate_of", {}).get(host)
    for k in range(w.platform.nics):
        rate = slow if slow and k == 0 else w.port_gbps
        guid = f"0xb83fd203{w.dice.randrange(16**8):08x}"
        text += (
            f"CA 'mlx5_{k}'\n\tCA type: {w.platform.ca}\n\tNumber of ports: 1\n\tFirmware version: 28.41.1000\n\tHardware version: 0\n"
            f"\tNode GUID: {guid}\n\tSystem image GUID: {guid}\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n"
            f"\t\tRate: {rate:.0f}\n\t\tBase lid: {k + 11 if layer == 'InfiniBand' else 0}\n\t\tLMC: 0\n\t\tSM lid: "
            f"{int(layer == 'InfiniBand')}\n"
            f"\t\tCapability mask: 0x00010000\n\t\tPort GUID: {guid}\n\t\tLink layer: {layer}\n"
        )
    return text


def topo(w: World, host: str) -> str:
    """`nvidia-smi topo -m`: each GPU beside its NIC, or far from all, or several beside one."""
    gpus, nics = w.platform.gpus, w.platform.nics
    links = f"NV{w.platform.nvlinks}" if w.platform.nvlinks else "NODE"
    half = max(gpus // 2, 1)

    def relation(gpu: int, nic: int) -> str:
        near = nic * gpus // nics <= gpu < (nic + 1) * gpus // nics
        other = (gpu < half) != (nic < max(nics // 2, 1)) and nics > 1
        if w.facts.get("far"):
            return "SYS" if not other else "NODE"
        if w.facts.get("shared_near"):
            return "PXB" if nic == 0 or (nic == nics // 2 and not other) else "SYS" if other else "NODE"
        if near:
            return "PIX" if gpus == nics else "PXB"
        return "SYS" if other else "NODE"

    names = [f"GPU{k}" for k in range(gpus)] + [f"NIC{k}" for k in range(nics)]
    text = prompt(host, "nvidia-smi topo -m") + "\t" + "\t".join(names) + "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
    for g in range(gpus):
        row = [" X " if k == g else links for k in range(gpus)] + [relation(g, n) for n in range(nics)]
        text += "\t".join([f"GPU{g}", *row, "0-55" if g < half else "56-111", str(int(g >= half)), "N/A"]) + "\n"
    for n in range(nics):
        row = [relation(g, n) for g in range(gpus)] + [" X " if k == n else "NODE" for k in range(nics)]
        text += "\t".join([f"NIC{n}", *row]) + "\t\t\t\n"
    legend = "".join(f"  NIC{n}: mlx5_{n}\n" for n in range(nics))
    return text + "\nLegend:\n\n  X    = Self\n\nNIC Legend:\n\n" + legend


def lspci(w: World, host: str) -> str:
    """Verbose `lspci` of the NICs and one bridge: link now and at most, ordering, redirection."""
    speeds = {3: "8GT/s", 4: "16GT/s", 5: "32GT/s"}
    kind = {"ib": "Infiniband controller", "roce": "Ethernet controller", "tcp": "Ethernet controller"}[w.technology]
    made = (
        f"Mellanox Technologies {w.platform.ca or w.platform.nic} Family [{w.platform.nic}]"
        if w.technology != "tcp"
        else f"Intel Corporation Ethernet Controller {w.platform.nic}"
    )
    narrow = w.facts.get("narrow", {}).get(host)
    text = prompt(host, "lspci -vvv")
    redirect = "+" if w.facts.get("acs") else "-"
    text += (
        "15:01.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])\n"
        "\tNUMA node: 0\n\tCapabilities: [68] Express (v2) Downstream Port (Slot-), MSI 00\n"
        f"\t\tLnkCap:\tPort #1, Speed {speeds[w.platform.gen]}, Width x16, ASPM not supported\n"
        f"\t\tLnkSta:\tSpeed {speeds[w.platform.gen]}, Width x16\n"
        f"\tCapabilities: [148 v1] Access Control Services\n\t\tACSCtl:\tSrcValid{redirect} TransBlk- "
        f"ReqRedir{redirect} CmpltRedir{redirect} UpstreamFwd{redirect} EgressCtrl- DirectTrans-\n\n"
    )
    for k in range(w.platform.nics):
        gen, width = w.platform.gen, int(w.facts.get("slot_width", 16))
        if narrow and k == 0:
            gen, width = (gen, 8) if narrow == "width" else (gen - 1, 16)
        down = " (downgraded)"
        text += (
            f"{0x18 + 9 * k:02x}:00.0 {kind}: {made}\n\tNUMA node: {int(k >= max(w.platform.nics // 2, 1))}\n"
            "\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n"
            f"\t\tDevCtl:\tCorrErr+ NonFatalErr+ FatalErr+ "
            f"UnsupReq-\n\t\t\tRlxdOrd{'+' if w.signs.get('relaxed_ordering_on') is not False else '-'} ExtTag+ PhantFunc- "
            f"AuxPwr- NoSnoop+ FLReset-\n"
            f"\t\tLnkCap:\tPort #0, Speed {speeds[w.platform.gen]}, Width x16, ASPM not supported\n"
            f"\t\tLnkSta:\tSpeed {speeds[gen]}{down if gen < w.platform.gen else ''}, Width x{width}{down if width < 16 else ''}\n"
            "\tKernel driver in use: mlx5_core\n\n"
        )
    return text


def nccl_tests(w: World, hosts: Sequence[str], peak: float, what: str = "all_reduce", ring: bool = True, largest: int = 8 * GIB) -> str:
    """A sweep: time is a latency and the bytes over the peak, with a little scatter."""
    gpus = w.platform.gpus
    ranks = gpus * len(hosts)
    algo = " -x NCCL_ALGO=Ring" if ring else ""
    text = prompt(
        hosts[0],
        f"mpirun -np {ranks} -H {','.join(f'{host}:{gpus}' for host in hosts)}{algo} ./build/{what}_perf -b 8M -e {largest} -f 2 -g 1",
    )
    text += (
        f"# nThread 1 nGpus 1 minBytes {min(8 * 2**20, largest)} maxBytes {largest} step: 2(factor) warmup iters: 5 "
        f"iters: 20 agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n"
    )
    for rank in range(ranks):
        text += (
            f"#  Rank {rank:2d} Group  0 Pid {40100 + rank:6d} on {hosts[rank // gpus]:>10} device {rank % gpus:2d} "
            f"[0000:{0x1B + 8 * (rank % gpus):02x}:00] {w.platform.model}\n"
        )
    text += (
        "#\n#                                                              out-of-place                       in-place          \n"
        "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
        "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       \n"
    )
    factor = 2 * (ranks - 1) / ranks if what == "all_reduce" else (ranks - 1) / ranks
    size, sums, rows = min(8 * 2**20, largest), 0.0, 0
    while size <= largest:
        cells = []
        for _ in range(2):
            busbw = peak / (1 + 48 * 2**20 / size) * w.dice.gauss(1, 0.008)
            algbw = busbw / factor
            sums, rows = sums + busbw, rows + 1
            cells.append(f"{size / algbw / 1e3:8.1f} {algbw:6.2f} {busbw:6.2f}      0")
        text += f"{size:12d} {size // 4:13d}     float     sum      -1 {cells[0]} {cells[1]}\n"
        size *= 2
    return text + f"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : {sums / rows:.3f} \n#\n"


def write_bw(w: World, host: str, rate: float, gpu: bool = False) -> str:
    rule = "-" * 87 + "\n"
    layer = "IB" if w.technology == "ib" else "Ethernet"
    ordering = "OFF" if w.signs.get("relaxed_ordering_on") is False else "ON"
    head = (
        "                    RDMA_Write BW Test\n"
        " Dual-port       : OFF\t\tDevice         : mlx5_0\n"
        " Number of qps   : 4\t\tTransport type : IB\n"
        " Connection type : RC\t\tUsing SRQ      : OFF\n"
        f" PCIe relax order: {ordering}\n TX depth        : 128\n CQ Moderation   : 100\n Mtu             : 4096[B]\n"
        f" Link type       : {layer}\n Max inline data : 0[B]\n rdma_cm QPs\t : OFF\n Data ex. method : Ethernet\n"
    )
    result = (
        " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
        f" 65536      20000            {rate * 1.002:.2f}             {rate:.2f}   \t\t   {rate / 8 / 65536 * 1e3:.6f}\n"
    )
    command = f"ib_write_bw -d mlx5_0 -q 4 --report_gbits -F{' --use_cuda=0' if gpu else ''} 10.40.3.4"
    return prompt(host, command) + rule + head + rule + result + rule


def iperf3(host: str, streams: int, rate: float, dice: Random) -> str:
    text = prompt(host, f"iperf3 -c 10.44.7.9 -P {streams}") + "Connecting to host 10.44.7.9, port 5201\n"
    text += "".join(f"[{5 + 2 * k:3d}] local 10.44.7.8 port {56310 + k} connected to 10.44.7.9 port 5201\n" for k in range(streams))
    text += "[ ID] Interval           Transfer     Bitrate\n"
    each = [rate / streams * dice.gauss(1, 0.01) for _ in range(streams)]
    for k, one in enumerate(each):
        text += f"[{5 + 2 * k:3d}]   0.00-1.00   sec  {one / 8:.2f} GBytes  {one:.2f} Gbits/sec\n"
    text += "- - - - - - - - - - - - - - - - - - - - - - - - -\n[ ID] Interval           Transfer     Bitrate         Retr\n"
    for k, one in enumerate(each):
        text += (
            f"[{5 + 2 * k:3d}]   0.00-10.00  sec  {one * 10 / 8:.2f} GBytes  {one:.2f} Gbits/sec    {dice.randrange(40)}    "
            f"         sender\n"
        )
        text += f"[{5 + 2 * k:3d}]   0.00-10.00  sec  {one * 10 / 8:.2f} GBytes  {one:.2f} Gbits/sec                  receiver\n"
    if streams > 1:
        text += f"[SUM]   0.00-10.00  sec  {sum(each) * 10 / 8:.2f} GBytes  {sum(each):.2f} Gbits/sec    0             sender\n"
        text += f"[SUM]   0.00-10.00  sec  {sum(each) * 10 / 8:.2f} GBytes  {sum(each):.2f} Gbits/sec                  receiver\n"
    return text + "\niperf Done.\n"


def ethtool_s(host: str, counters: Mapping[str, int]) -> str:
    return (
        prompt(host, "ethtool -S ens10np0") + "NIC statistics:\n" + "".join(f"     {name}: {value}\n" for name, value in counters.items())
    )


def sysfs(host: str, counters: Mapping[str, int]) -> str:
    command = "grep . /sys/class/infiniband/mlx5_0/ports/1/counters/port_* /sys/class/infiniband/mlx5_0/ports/1/hw_counters/*"
    at = "/sys/class/infiniband/mlx5_0/ports/1/"
    where = {
        name: "counters" if name.startswith("port_") or name in ("symbol_error", "link_downed") else "hw_counters" for name in counters
    }
    return prompt(host, command) + "".join(f"{at}{where[name]}/{name}:{value}\n" for name, value in counters.items())


def perfquery(host: str, counters: Mapping[str, int]) -> str:
    text = prompt(host, "perfquery -x") + (
        "# Port extended counters: Lid 17 port 1 (CapMask: 0x5300 CapMask2: "
        "0x0000002)\nPortSelect:......................1\nCounterSelect:...................0x0000\n"
    )
    return text + "".join(f"{name + ':':.<33}{value}\n" for name, value in counters.items())


def mlnx_qos(host: str, lossless: Sequence[int], trust: str = "dscp") -> str:
    text = prompt(host, "mlnx_qos -i ens10np0") + f"DCBX mode: OS controlled\nPriority trust state: {trust}\n"
    if trust == "dscp":
        text += "dscp2prio mapping:\n" + "".join(
            f"        prio:{p} dscp:{','.join(f'{p * 8 + 7 - k:02d}' for k in range(8))},\n" for p in range(8)
        )
    text += (
        "default priority:\nReceive buffer size (bytes): 20016,156096,0,0,0,0,0,0,max_buffer_size=2109312\nCable len: "
        "5\nPFC configuration:\n"
    )
    text += (
        "        priority    0   1   2   3   4   5   6   7\n        enabled     "
        + "".join(f"{int(p in lossless)}   " for p in range(8))
        + "\n"
    )
    text += "        buffer      " + "".join(f"{int(p in lossless)}   " for p in range(8)) + "\n"
    return text + "".join(f"tc: {p} ratelimit: unlimited, tsa: ets, bw: 12%\n         priority:  {p}\n" for p in range(8))


def nvlink(w: World, host: str) -> str:
    text = prompt(host, "nvidia-smi nvlink -s")
    lost = w.facts.get("nvlinks_lost", {}).get(host, 0)
    for k in range(w.platform.gpus):
        text += f"GPU {k}: {w.platform.model} (UUID: GPU-{w.dice.randrange(16**8):08x}-d1b8-41a4-d95d-3b2b713664c5)\n"
        for link in range(w.platform.nvlinks):
            down = k == 2 and link < lost
            text += f"\t Link {link}: {'<inactive>' if down else '26.562 GB/s'}\n"
    return text


def gpu_csv(w: World, host: str, idle: bool) -> str:
    gen = 1 if idle else w.platform.gen
    text = prompt(
        host,
        "nvidia-smi "
        "--query-gpu=index,"
        "pstate,utilization.gpu,pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max "
        "--format=csv",
    )
    text += "index, pstate, utilization.gpu [%], pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max\n"
    return text + "".join(
        f"{k}, {'P8' if idle else 'P0'}, {0 if idle else 97} %, {gen}, {w.platform.gen}, 16, 16\n" for k in range(w.platform.gpus)
    )


def slurm_topology(w: World) -> str:
    text = "admin@login1:~$ scontrol show topology\n"
    for leaf, hosts in w.leaves.items():
        text += f"SwitchName={leaf} Level=0 LinkSpeed=1 Nodes={','.join(hosts)}\n"
    return text + f"SwitchName=spine Level=1 LinkSpeed=1 Nodes={','.join(w.hosts)} Switches={','.join(w.leaves)}\n"


def slurm_jobs(w: World) -> str:
    text = "admin@login1:~$ scontrol show job\n"
    for job in w.jobs:
        text += _slurm_job(w.platform, job)
    return text


def _slurm_job(kind: Platform, job: Work) -> str:
    gpus = kind.gpus * len(job.hosts)
    number = job.name if job.name.isdigit() else "77120"
    return (
        f"JobId={number} JobName={job.kind}-{job.name}\n   UserId=lin(2011) GroupId=users(100) MCS_label=N/A\n   "
        f"JobState=RUNNING Reason=None Dependency=(null)\n"
        f"   SubmitTime=2026-09-11T18:23:12 EligibleTime=2026-09-11T18:23:12\n   StartTime=2026-09-11T19:04:12 "
        f"EndTime=2026-09-21T19:04:12 Deadline=N/A\n"
        f"   Partition=gpu AllocNode:Sid=login1:199924\n   NodeList={','.join(job.hosts)}\n   BatchHost={job.hosts[0]}\n"
        f"   NumNodes={len(job.hosts)} NumCPUs={28 * gpus} NumTasks={gpus} CPUs/Task=28 ReqB:S:C:T=0:0:*:*\n   "
        f"AllocTRES=cpu={28 * gpus},node={len(job.hosts)},billing=1,gres/gpu={gpus}\n"
        f"   OverSubscribe=NO Contiguous=0 Licenses=(null) Network=(null)\n   TresPerNode=gres/gpu:{kind.gpus}\n\n"
    )


def slurm_nodes(w: World, partly: bool) -> str:
    text = "admin@login1:~$ scontrol show node\n"
    for k, host in enumerate(w.hosts[:8]):
        given = w.platform.gpus if not (partly and k % 2 == 0) else w.dice.randrange(1, w.platform.gpus)
        text += (
            f"NodeName={host} Arch=x86_64 CoresPerSocket=56\n   CPUAlloc=112 CPUEfctv=224 CPUTot=224 CPULoad=171.42\n   "
            f"Gres=gpu:{w.platform.gpus}\n"
            f"   NodeAddr={host} NodeHostName={host} Version=24.05.3\n   RealMemory=2063000 AllocMem=2048000 "
            f"FreeMem=1188204 Sockets=2 Boards=1\n"
            f"   State=ALLOCATED ThreadsPerCore=2 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n   Partitions=gpu\n"
            f"   CfgTRES=cpu=224,mem=2063000M,billing=224,gres/gpu={w.platform.gpus}\n   AllocTRES=cpu=112,mem=2000G,gres/gpu={given}\n\n"
        )
    return text


def training_log(w: World, inside: float | None, within: int = 5, steps: int = 260) -> str:
    """Megatron-LM: a checkpoint every 40 steps takes `within` of them; inside it steps are `inside` as fast (None: no dip)."""
    text = "using world size: 32, data-parallel-size: 4, tensor-model-parallel size: 8, pipeline-model-parallel size: 1\n"
    base, clock = w.dice.uniform(8e3, 20e3), 33_300.0
    for k in range(1, steps + 1):
        writing = k > 40 and (k - 1) % 40 < within
        ms = base * w.dice.gauss(1, 0.012) / (inside if writing and inside else 1.0)
        clock += ms / 1e3
        stamp = f"{int(clock // 3600) % 24:02d}:{int(clock // 60) % 60:02d}:{int(clock) % 60:02d}"
        text += (
            f" [2026-09-14 {stamp}] iteration {12000 + k:8d}/  100000 | consumed samples: {3072000 + 256 * k:12d} | "
            f"elapsed time per iteration (ms): {ms:.1f} | throughput per GPU (TFLOP/s/GPU): {5.9e6 / ms:.1f} | global batch size:   256 |\n"
        )
        if k % 40 == 0 and k < steps:
            text += (
                f"saving checkpoint at iteration   {12000 + k} to /shared/ckpt/run in torch_dist format\n  scheduled an async "
                f"checkpoint save at iteration   {12000 + k} to /shared/ckpt/run\n"
            )
        if k > 40 and k % 40 == within:
            text += f"  successfully saved checkpoint from iteration   {12000 + k - within} to /shared/ckpt/run [ t 1/8, p 1/1 ]\n"
    return text


def sonic_counters(w: World, leaf: str) -> str:
    """`show interfaces counters` of a leaf: host ports, then uplinks with their use."""
    loads = w.loads or []
    speed = w.port_gbps / 8 * 1e3  # MB/s
    text = (
        f"admin@{leaf}:~$ show interfaces counters\n      IFACE  STATE               RX_OK         RX_BPS  RX_UTIL  "
        f"RX_ERR  RX_DRP  RX_OVR               TX_OK         TX_BPS  TX_UTIL  TX_ERR  TX_DRP  TX_OVR\n"
    )
    text += (
        "-----------  -----  ------------------  -------------  -------  ------  ------  ------  ------------------  "
        "-------------  -------  ------  ------  ------\n"
    )
    for k, load in enumerate(loads):
        name, back = f"Ethernet{8 * (32 + k)}", min(load * w.dice.uniform(0.9, 1.05), 0.99)
        text += (
            f"{name:>11}      U {w.dice.randrange(10**12, 10**13):18,d} {back * speed:9.2f} MB/s {100 * back:6.2f}%       0       0       0"
            f" {w.dice.randrange(10**12, 10**13):18,d} {load * speed:9.2f} MB/s {100 * load:6.2f}%       0       0       0\n"
        )
    return text


def lldp(w: World, leaf: str) -> str:
    text = (
        f"admin@{leaf}:~$ show lldp table\nCapability codes: (R) Router, (B) Bridge, (O) Other\nLocalPort    "
        f"RemoteDevice  RemotePortID       Capability  RemotePortDescr\n-----------  ------------  -----------------  "
        f"----------  ---------------\n"
    )
    k = 0
    for host in w.leaves[leaf]:
        for nic in range(w.platform.nics):
            text += f"Ethernet{8 * k:<4d} {host:<13} b8:3f:d2:{k:02x}:00:{nic:02x}              ens{10 + nic}np0\n"
            k += 1
    for k in range(w.uplinks):
        text += f"Ethernet{8 * (32 + k):<4d} spine-{k % w.spines + 1:<7} Ethernet{8 * k:<6d}    BR          to {leaf}\n"
    return text


def sonic_status(w: World, leaf: str) -> str:
    """`show interfaces status`: host ports, then uplinks, of which some may be down."""
    text = f"admin@{leaf}:~$ show interfaces status\n"
    text += "  Interface            Lanes  Speed   MTU  FEC  Alias    Vlan  Oper  Admin             Type  Asym PFC\n"
    text += "-----------  ---------------  -----  ----  ---  -----  ------  ----  -----  ---------------  --------\n"
    hosts = len(w.leaves[leaf]) * w.platform.nics
    lost = w.facts.get("uplinks_lost", 0)
    for k in [*range(hosts), *range(32, 32 + w.uplinks)]:
        state = "down" if k >= 32 + w.uplinks - lost else "up"
        text += (
            f"{f'Ethernet{8 * k}':>11}  {8 * k + 1:>15}  {w.port_gbps:4.0f}G  9100   rs {f'etp{k + 1}':>6}  routed  "
            f"{state:>4}     up  QSFP28 or later       off\n"
        )
    return text


def nccl_env(host: str, variables: Mapping[str, str], nics: int, gdr: bool | None, technology: str) -> str:
    """The head of a log with NCCL_DEBUG=INFO."""
    head = f"{host}:40117:40117 [0] NCCL INFO "
    kind = "RoCE" if technology == "roce" else "IB"
    text = "".join(f"{head}{name} set by environment to {value}.\n" for name, value in variables.items())
    if technology == "tcp" or variables.get("NCCL_IB_DISABLE") == "1":
        text += f"{head}NET/Socket : Using [0]eth0:10.40.1.3<0>\n{head}Using network Socket\n"
    else:
        listed = " ".join(f"[{k}]mlx5_{k}:1/{kind}" for k in range(nics))
        text += f"{head}NET/IB : Using {listed} [RO]; OOB eth0:10.40.1.3<0>\n{head}Using network IB\n"
        if gdr is not None:
            text += f"{head}Channel 00/0 : 15[7] -> 0[0] [receive] via NET/IB/0{'/GDRDMA' if gdr else ''}\n"
    return text
