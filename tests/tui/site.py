"""A small site for the screens, made by hand, so that what is drawn depends on nothing but the screens.

Four leaves, two spines, 32 hosts; one uplink down, one slow; a scattered job; a checkpoint that shares a queue.
"""

from datetime import date
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

from advisor.base.text import Text
from advisor.cost.model import Estimate, Line, Price, Range, Scenario
from advisor.diagnosis.verdict import Cause, Diagnosis, Evidence, Gate, Loss, Probe
from advisor.evidence.bundle import Bundle, Capture
from advisor.evidence.origin import Origin
from advisor.evidence.reading import Part, Problem, Reading
from advisor.fabric.model import Conflict, End, Fabric, Gpu, Host, Job, Leaf, Link, Port, Run, Step, Switch, TrainingLog
from advisor.plan.plan import Decision, Plan, Rung
from advisor.remedy.remedy import Effect, Effort, Proposal, Remedy
from advisor.usecases.assess import Assessment

TODAY = date(2026, 11, 30)
ZERO = Decimal(0)

IBSTAT = """CA 'mlx5_0'
\tCA type: MT4129
\tNumber of ports: 1
\tPort 1:
\t\tState: Active
\t\tPhysical state: LinkUp
\t\tRate: 400
\t\tLink layer: InfiniBand
ibpanic: [4711] main: stat of IB device 'mlx5_8' failed
see you at lunch
"""
NCCL = """# nThread 1 nGpus 1 minBytes 8 maxBytes 8589934592 step: 2(factor)
#       size         count      type   redop    root     time   algbw   busbw
  8589934592    2147483648     float     sum      -1  98231.0   87.45  163.96
  8589934592    2147483648     float     sum      -1  99120.4   86.66  162.49
# Avg bus bandwidth    : 163.2
"""
PLACEMENT = "".join(f"gpu-{i:02d} topology.kubernetes.io/rack=leaf-{(i - 1) // 8 + 1} llm-70b\n" for i in range(1, 33))
LOG = "".join(f"step {i} time {1.0 + 0.02 * (i % 5) + (0.9 if 38 <= i % 50 <= 44 else 0):.3f} s\n" for i in range(1, 201))
NOTE = "紧急：交换机室周三关闭，请勿断电\n[bold red]not markup[/bold red] \x1b[31mred\x1b[0m\n"


def both(en: str, zh: str) -> Text:
    return Text(en=en, zh=zh)


def _capture(name: str, text: str, reading: Reading, host: str | None = None, role: str | None = None) -> Capture:
    data = text.encode()
    return Capture(sha256(data).hexdigest(), name, len(data), reading, host, None, role)  # type: ignore[arg-type]


def texts() -> dict[str, str]:
    found = {f"gpu-{i:02d}/ibstat.txt": IBSTAT.replace("4711", f"47{i:02d}") for i in range(1, 9)}
    return found | {"nccl/quiet.txt": NCCL, "placement.txt": PLACEMENT, "train.log": LOG, "便条.txt": NOTE, "empty.txt": ""}


def bundle() -> Bundle:
    found: list[Capture] = []
    for name, text in texts().items():
        if name.endswith("ibstat.txt"):
            port = {"rate_gbps": 400, "state": "active", "physical_state": "linkup", "link_layer": "infiniband", "model": "MT4129"}
            at = {
                ("ports", "mlx5_0/1"): 4,
                ("ports", "mlx5_0/1", "state"): 5,
                ("ports", "mlx5_0/1", "physical_state"): 6,
                ("ports", "mlx5_0/1", "rate_gbps"): 7,
                ("ports", "mlx5_0/1", "link_layer"): 8,
                ("ports", "mlx5_0/1", "model"): 2,
            }
            problem = Problem(9, text.splitlines()[8], "tool-error")
            part = Part("ibstat", (1, 9), facts={"ports": {"mlx5_0/1": port}}, at=at, problems=(problem,))
            found.append(_capture(name, text, Reading(parts=(part,), unread=((10, 10),), line_count=10), name.split("/")[0]))
        elif name == "nccl/quiet.txt":
            part = Part("nccl-tests", (1, 5), facts={"busbw_gBps": [163.96, 162.49]}, at={("busbw_gBps", "0"): 3, ("busbw_gBps", "1"): 4})
            found.append(_capture(name, text, Reading(parts=(part,), line_count=5), role="quiet"))
        elif name == "placement.txt":
            part = Part("k8s-topology", (1, 32), facts={"jobs": {"llm-70b": 32}}, at={("jobs", "llm-70b"): 1})
            found.append(_capture(name, text, Reading(parts=(part,), line_count=32)))
        elif name == "train.log":
            part = Part("training-log", (1, 200), facts={"step_count": 200}, at={("step_count",): 1})
            found.append(_capture(name, text, Reading(parts=(part,), line_count=200)))
        else:
            found.append(_capture(name, text, Reading(refused="not-recognised" if text else "empty", line_count=text.count("\n"))))
    return Bundle.of(found)


def _origin(name: str, line: int) -> Origin:
    text = texts()[name]
    return Origin(capture=sha256(text.encode()).hexdigest(), name=name, line=line)


def fabric() -> Fabric:
    hosts: dict[str, Host] = {}
    links: list[Link] = []
    leaves: list[Leaf] = []
    switches: dict[str, Switch] = {}
    for i in range(1, 33):
        name, leaf = f"gpu-{i:02d}", f"leaf-{(i - 1) // 8 + 1}"
        slow = i == 19
        port = Port(name="mlx5_0/1", state="active", rate_gbps=200 if slow else 400, rate_max_gbps=400)
        other = Port(name="mlx5_1/1", state="down" if i == 26 else "active", rate_gbps=400, rate_max_gbps=400)
        gpus = {f"GPU{g}": Gpu(name=f"GPU{g}", model="H100") for g in range(8)}
        origin = (_origin(f"{name}/ibstat.txt", 4),) if i <= 8 else ()
        hosts[name] = Host(name=name, leaf=leaf, gpus=gpus, gpu_count=8, ports={port.name: port, other.name: other}, origins=origin)
        links.append(
            Link(
                a=End(device=name, port="mlx5_0/1"),
                b=End(device=leaf, port=f"{(i - 1) % 8 + 1}"),
                rate_gbps=400,
                rate_max_gbps=400,
                state="active",
            )
        )
    for s in (1, 2):
        switches[f"spine-{s}"] = Switch(name=f"spine-{s}", tier="spine")
    load = {1: (0.97, 0.31, 0.35, 0.28), 2: (0.62, 0.6, 0.58, 0.61), 3: (0.2, 0.9, 0.4, 0.4), 4: (0.5, 0.5, 0.5, 0.5)}
    for n in range(1, 5):
        name = f"leaf-{n}"
        members = tuple(f"gpu-{i:02d}" for i in range(8 * n - 7, 8 * n + 1))
        switches[name] = Switch(name=name, tier="leaf", hosts=members)
        for u, used in enumerate(load[n], 1):
            down = n == 4 and u == 4
            slow = n == 3 and u == 1
            links.append(
                Link(
                    a=End(device=name, port=f"{32 + u}"),
                    b=End(device=f"spine-{(u + 1) // 2}", port=f"{4 * n + u}"),
                    rate_gbps=200 if slow else 400,
                    rate_max_gbps=400,
                    state="down" if down else "active",
                    utilisation=None if down else used,
                )
            )
        up = 1200.0 if n == 4 else 1400.0 if n == 3 else 1600.0
        leaves.append(Leaf(name=name, hosts=members, down_gbps=3200, up_gbps=up, ratio=3200 / up, uplinks=4, uplinks_down=int(n == 4)))
    jobs = (
        Job(
            name="llm-70b",
            kind="training",
            hosts=tuple(f"gpu-{i:02d}" for i in (1, 2, 9, 10, 17, 18, 25, 26)),
            gpu_count=64,
            leaves=4,
            leaves_needed=1,
            crossing_share=0.82,
            origin=_origin("placement.txt", 1),
        ),
        Job(name="chat-serving", kind="inference", hosts=("gpu-31", "gpu-32"), gpu_count=16, leaves=1, leaves_needed=1, crossing_share=0.0),
    )
    steps = tuple(
        Step(number=i, time_s=1.0 + 0.02 * (i % 5) + (0.9 if 38 <= i % 50 <= 44 else 0), in_checkpoint=38 <= i % 50 <= 44)
        for i in range(1, 201)
    )
    quiet = (46.8, 46.1, 45.9, 47.2, 46.5, 46.6, 46.3, 46.9, 47.0, 46.4)
    busy = (21.3, 24.4, 19.8, 22.0, 26.1, 20.4, 21.1, 23.9, 22.7, 20.9)
    return Fabric(
        hosts=hosts,
        switches=switches,
        links=tuple(links),
        leaves=tuple(leaves),
        jobs=jobs,
        logs=(TrainingLog(name="train.log", steps=steps, checkpoint_count=4, windows_known=True, origin=_origin("train.log", 1)),),
        runs=(
            Run(
                label="quiet",
                what="all_reduce",
                hosts=("gpu-07", "gpu-15"),
                load="quiet",
                figures={"busbw_gBps": quiet},
                origin=_origin("nccl/quiet.txt", 3),
            ),
            Run(label="busy", what="all_reduce", hosts=("gpu-07", "gpu-15"), load="busy", figures={"busbw_gBps": busy}),
        ),
        conflicts=(
            Conflict(
                thing="gpu-19 mlx5_0/1",
                figure="rate_gbps",
                values=("200", "400"),
                origins=(_origin("gpu-08/ibstat.txt", 7), Origin(kind="stated", name="site.yaml", line=12)),
                used="200",
            ),
        ),
        technology="ib",
        topology="leaf-spine",
        scheduler="kubernetes",
    )


def diagnosis(aside: frozenset[str] = frozenset()) -> Diagnosis:
    scattered = Cause(
        cause="placement-scatter",
        layer="scheduling",
        verdict="shared-contention",
        title=both("placement scattered over four leaves", "作业分散在四台叶交换机上"),
        probability=0.93,
        share=0.45,
        explanation=both(
            "The job needs one leaf and uses four; most of its traffic crosses the spines.",
            "作业只需一台叶交换机却占用四台，大部分流量要经过脊层。",
        ),
        evidence=(
            Evidence(
                supports=True,
                measure="crossing_share",
                about="llm-70b",
                value=0.82,
                threshold="> 0.3",
                threshold_source="gate-V20",
                weight=9.1,
                text=both("cross-leaf share of job llm-70b", "作业 llm-70b 的跨叶流量占比"),
                origins=(_origin("placement.txt", 1),),
            ),
            Evidence(
                supports=True,
                measure="pair_ratio",
                about="gpu-07, gpu-15",
                value=2.2,
                threshold="> 1.25",
                threshold_source="gate-V03",
                weight=6.0,
                text=both("same pair, quiet over busy", "同一对节点，空闲比繁忙"),
                origins=(_origin("nccl/quiet.txt", 3), Origin(kind="stated", name="site.yaml", line=41)),
            ),
            Evidence(
                supports=False,
                measure="same_leaf_slow",
                value=False,
                weight=0.6,
                text=both("no pair inside one leaf was measured", "没有同叶节点对的测量"),
            ),
        ),
    )
    checkpoint = Cause(
        cause="checkpoint-contention",
        layer="storage",
        verdict="shared-contention",
        title=both("checkpoint writes share queue 3 with the gradients", "检查点写入与梯度交换共用队列 3"),
        probability=0.88,
        share=0.3,
        evidence=(
            Evidence(
                supports=True,
                measure="window_ratio",
                value=0.53,
                threshold="< 0.85",
                threshold_source="gate-V22",
                weight=6.0,
                text=both("throughput inside checkpoint windows over outside", "检查点窗口内外吞吐之比"),
                origins=(_origin("train.log", 38),),
            ),
        ),
    )
    ratio = Cause(
        cause="uplink-oversubscription",
        layer="fabric",
        verdict="physical-capacity",
        title=both("leaf convergence 2:1", "叶交换机收敛比 2:1"),
        probability=0.71,
        share=0.25,
        evidence=(),
    )
    return Diagnosis(
        verdict="shared-contention",
        confidence=0.86 if not aside else 0.61,
        headline=both("Tune first: three quarters of the loss come back without hardware.", "先调优：四分之三的损失无需硬件即可挽回。"),
        layers={
            "node": "clean",
            "fabric": "suspect",
            "storage": "faulty",
            "scheduling": "faulty",
            "flow-control": "unknown",
            "host-software": "clean",
        },
        causes=(scattered, checkpoint, ratio),
        loss=Loss(
            fraction=0.31,
            low=0.28,
            high=0.35,
            free=0.24,
            hardware=0.07,
            method="model",
            baseline=both("of all-reduce bandwidth", "占 all-reduce 带宽"),
        ),
        gates=(
            Gate(gate="data", state="clean", text=both("enough", "足够")),
            Gate(gate="node", state="clean", text=both("clean", "正常")),
            Gate(gate="link", state="suspect", text=both("one slow", "一条降速")),
            Gate(gate="load", state="faulty", text=both("busy halves it", "繁忙时减半")),
            Gate(gate="uplinks", state="unknown", text=both("no counters", "无计数器")),
        ),
        missing=(both("no counters of the leaves' uplinks", "缺少叶交换机上联计数器"),),
        next_probe=Probe(
            probe="cross-leaf-quiet",
            where="gpu-07, gpu-15",
            run=both(*["mpirun -np 16 -H gpu-07:8,gpu-15:8 all_reduce_perf -b 1G -e 8G -f 2 -n 20"] * 2),
            decides=both("Whether the pair is slow across leaves with nobody else on the links.", "无其他负载时跨叶节点对是否仍然慢。"),
            gain=0.62,
            minutes=12,
        ),
        set_aside=tuple(sorted(aside)),
    )


def _range(low: int, likely: int, high: int) -> Range:
    return Range(low=Decimal(low), likely=Decimal(likely), high=Decimal(high))


def _price(item: str, en: str, zh: str, amount: Range, when: date, days: int = 180) -> Price:
    return Price(
        id=item,
        name=both(en, zh),
        unit="piece",
        currency="USD",
        price=amount,
        compiled_on=when,
        valid_days=days,
        kind="quote",
        source="price list A",
    )


def _remedy(name: str, kind: str, en: str, zh: str, **more: object) -> Remedy:
    base: dict[str, object] = {
        "id": name,
        "row": "scheduling",
        "kind": kind,
        "title": both(en, zh),
        "what": both(
            "What it does, in a sentence that is long enough to wrap on a narrow screen.", "用一句足够长、在窄屏上会折行的话说明它做什么。"
        ),
        "relieves": ("placement-scatter",),
        "effort": (Effort(role="platform-engineer", low_days=1, high_days=3, source="judgement"),),
        "risk": both("Jobs wait longer for a free leaf.", "作业等待空闲叶交换机的时间变长。"),
        "window": False,
        "steps": ({"en": "Label the nodes with their leaf.", "zh": "给节点打上所属叶的标签。"},),
        "rollback": both("Take the labels off.", "删除标签。"),
        "verify": both("Run the same pair again.", "对同一对节点再测一次。"),
        "expect": both("46 GB/s", "46 GB/s"),
    }
    return Remedy.model_validate(base | more)


def plan(decisions: dict[str, Decision] | None = None) -> Plan:
    made = decisions or {}
    labour = Line(
        remedy="pack-jobs",
        what=both("platform engineer", "平台工程师"),
        group="labour",
        item="labour-platform",
        unit="day",
        quantity=_range(1, 2, 3),
        price=_price("labour-platform", "Platform engineer, a day", "平台工程师人天", _range(600, 800, 1100), date(2026, 10, 1)),
        state="current",
        amount=_range(600, 1600, 3300),
        currency="USD",
        basis=both("1 to 3 days for the site", "全站 1 至 3 人天"),
    )
    switch = Line(
        remedy="more-spines",
        what=both("spine switch, 64 ports of 400 Gb/s", "脊交换机，64 × 400 Gb/s"),
        group="capital",
        item="switch-64x400",
        unit="piece",
        quantity=_range(2, 2, 2),
        price=_price("switch-64x400", "Switch", "交换机", _range(28000, 34000, 41000), date(2025, 11, 1)),
        state="expired",
        amount=_range(56000, 68000, 82000),
        currency="USD",
        basis=both("32 more uplinks over 64 ports", "新增 32 条上联，每台 64 端口"),
    )
    optic = Line(
        remedy="more-spines",
        what=both("optics, 400 Gb/s", "400 Gb/s 光模块"),
        group="capital",
        item="optic-400",
        unit="piece",
        quantity=_range(64, 64, 64),
        price=None,
        state="missing",
        amount=None,
        currency="USD",
        basis=both("two for each uplink", "每条上联两只"),
    )
    cheap = Estimate(currency="USD", lines=(labour,), total=_range(600, 1600, 3300), by_group={"labour": _range(600, 1600, 3300)})
    dear = Estimate(
        currency="USD",
        lines=(switch, optic),
        total=_range(56000, 68000, 82000),
        by_group={"capital": _range(56000, 68000, 82000)},
        missing=1,
        expired=1,
    )
    nothing = Estimate(currency="USD", total=_range(0, 0, 0))
    both_ = Estimate(
        currency="USD",
        lines=(switch, optic, labour),
        total=_range(56600, 69600, 85300),
        by_group={"capital": _range(56000, 68000, 82000), "labour": _range(600, 1600, 3300)},
        missing=1,
        expired=1,
    )
    pack = _remedy(
        "pack-jobs",
        "free",
        "Keep a job on one leaf",
        "让作业留在同一台叶交换机",
        effects=(Effect(low=0.2, high=0.4, text=both("a large training cluster", "某大型训练集群"), source="R06"),),
    )
    stagger = _remedy("stagger-checkpoints", "free", "Stagger checkpoint writes", "错开检查点写入", conflicts=("more-spines",), window=True)
    spines = _remedy(
        "more-spines",
        "capital",
        "Two more spines",
        "增加两台脊交换机",
        requires=("pack-jobs",),
        prerequisites=(both("Free rack space and power.", "有空余机位与电力。"),),
    )
    steps = (
        both("kubectl label node gpu-01 gpu-02 leaf=leaf-1", "kubectl label node gpu-01 gpu-02 leaf=leaf-1"),
        both("Set the affinity in the job's template.", "在作业模板中设置亲和性。"),
    )
    proposals = (
        (
            Proposal(
                remedy=pack,
                causes=("placement-scatter",),
                probability=0.93,
                recovers=0.14,
                recovers_low=0.1,
                recovers_high=0.17,
                steps=steps,
                where=("leaf-1", "leaf-2", "leaf-3", "leaf-4"),
            ),
            cheap,
        ),
        (
            Proposal(
                remedy=stagger, causes=("checkpoint-contention",), probability=0.88, recovers=0.09, recovers_low=0.06, recovers_high=0.1
            ),
            nothing,
        ),
        (
            Proposal(
                remedy=spines,
                causes=("uplink-oversubscription",),
                probability=0.71,
                recovers=0.07,
                recovers_low=0.05,
                recovers_high=0.08,
                blocked_by=("pack-jobs",),
            ),
            dear,
        ),
    )
    rungs = tuple(
        Rung(
            proposal=proposal, estimate=estimate, decision=made.get(proposal.remedy.id, Decision(remedy=proposal.remedy.id, choice="open"))
        )
        for proposal, estimate in proposals
    )
    taken = [rung for rung in rungs if rung.decision.choice == "take"]
    recovered = sum(rung.proposal.recovers or 0 for rung in taken)
    spent = Range(low=ZERO, likely=ZERO, high=ZERO)
    for rung in taken:
        spent = spent + rung.estimate.total
    lines = tuple(line for rung in taken for line in rung.estimate.lines)
    return Plan(
        currency="USD",
        rungs=rungs,
        recovered=recovered,
        still_lost=0.31 - recovered,
        spent=spent,
        taken=Estimate(currency="USD", lines=lines, total=spent),
        estimate=both_,
        scenarios=(
            Scenario(id="nothing", title=both("Do nothing", "什么都不做"), remedies=(), recovers=0.0, remaining=0.31, estimate=nothing),
            Scenario(
                id="free",
                title=both("Free steps only", "仅免费措施"),
                remedies=("pack-jobs", "stagger-checkpoints"),
                recovers=0.24,
                remaining=0.07,
                estimate=cheap,
            ),
            Scenario(
                id="all",
                title=both("And expansion", "再加扩容"),
                remedies=("pack-jobs", "stagger-checkpoints", "more-spines"),
                recovers=0.31,
                remaining=0.0,
                estimate=both_,
            ),
        ),
        buying=both("Buying can wait: after the free steps 7 % are left.", "可以先不采购：免费措施之后只剩 7%。"),
    )


def assessment(folder: Path, decisions: dict[str, Decision] | None = None, aside: frozenset[str] = frozenset()) -> Assessment:
    """The site as opened from a folder, where its captures are written."""
    for name, text in texts().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return made(Assessment("pd-east-h100", None, bundle(), TODAY, decisions or {}, aside, str(folder)))


def made(site: Assessment) -> Assessment:
    """The same with fabric, diagnosis and plan as above, instead of worked out from the captures."""
    site.__dict__["fabric"] = fabric()
    site.__dict__["diagnosis"] = diagnosis(site.set_aside)
    site.__dict__["plan"] = plan(dict(site.decisions))
    return site
