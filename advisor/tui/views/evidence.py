"""The captures with their states, and which layer is covered on which host."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from advisor.base.text import Lang, say
from advisor.base.writing import listed
from advisor.evidence.bundle import Bundle, Capture, host_of
from advisor.evidence.reading import State
from advisor.tui.views.figures import number, size
from advisor.tui.views.words import Column, Phrase, Row, Span, Table, Tone, joined, word

Group = Literal["host", "tool"]
STATE_SIGNS: Mapping[State, tuple[str, Tone]] = {
    "read": ("✓", "good"),
    "read-in-part": ("!", "warn"),
    "not-recognised": ("?", "mark"),
    "refused": ("·", "dim"),
    "failed": ("✗", "bad"),
}
_WORST: tuple[State, ...] = ("failed", "read-in-part", "not-recognised", "refused", "read")
PASSED = "passed"  # key of the group of files that were passed over
MANY = 60  # captures from which on groups begin folded

# Which layer the output of a tool speaks of. Tools that speak of several layers stand at each.
LAYER_TOOLS: Mapping[str, frozenset[str]] = {
    "node": frozenset(
        [
            "nvidia-smi-topo",
            "nvidia-smi-q",
            "nvidia-smi-nvlink",
            "nvidia-smi-csv",
            "dcgmi-dmon",
            "dcgm-exporter",
            "lspci",
            "numactl",
            "nvbandwidth",
            "rocm-smi-topo",
            "nccl-topo-xml",
        ]
    ),
    "fabric": frozenset(
        [
            "ibstat",
            "ibstatus",
            "ibv_devinfo",
            "ibdev2netdev",
            "mlxlink",
            "perftest",
            "nccl-tests",
            "nccl-log",
            "ibnetdiscover",
            "iblinkinfo",
            "ibqueryerrors",
            "ibdiagnet",
            "perfquery",
            "ufm",
            "sysfs-ib-counters",
            "ethtool",
            "iperf3",
            "cumulus-nvue",
            "sonic",
            "arista-eos",
            "cisco-nxos",
            "huawei-ce",
            "h3c-comware",
            "juniper",
            "grafana-csv",
            "prometheus",
            "show_gids",
        ]
    ),
    "storage": frozenset(["fio", "ior", "mdtest", "elbencho", "training-log"]),
    "scheduling": frozenset(["kubectl-describe-node", "kubectl-get", "k8s-topology", "slurm-job", "slurm-node", "slurm-topology"]),
    "flow-control": frozenset(
        [
            "ethtool-S",
            "mlnx_qos",
            "sonic-config",
            "cumulus-nvue",
            "sonic",
            "arista-eos",
            "cisco-nxos",
            "huawei-ce",
            "h3c-comware",
            "juniper",
            "sysfs-ib-counters",
            "perfquery",
        ]
    ),
}


def tools_of(capture: Capture) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.tool for part in capture.reading.parts))


def hosts_of(capture: Capture) -> tuple[str, ...]:
    found = [host for part in capture.reading.parts if (host := host_of(capture, part))]
    return tuple(dict.fromkeys(found)) or ((capture.host,) if capture.host else ())


def captures(bundle: Bundle, lang: Lang, group: Group, folded: Mapping[str, bool], passed: Sequence[tuple[str, str, str]] = ()) -> Table:
    """The captures as a tree, below them the files that were passed over. `folded` holds what a person folded or unfolded, by group."""
    groups: dict[str, list[Capture]] = {}
    for capture in bundle.captures:
        for name in (hosts_of(capture) if group == "host" else tools_of(capture)) or ("",):
            groups.setdefault(name, []).append(capture)
    rows: list[Row] = []
    for name in sorted(groups, key=lambda name: (name == "", name)):
        members = groups[name]
        key = f"{group}:{name}"
        opened = not folded.get(key, len(bundle.captures) > MANY)
        sign, tone = STATE_SIGNS[worst(capture.state for capture in members)]
        title = name or say(f"tui.evidence.no-{group}", lang)
        rows.append(Row(key, ((Span(f"{sign} ", tone), Span(title, "strong")), word(len(members), "dim"), ()), opened=opened))
        if opened:
            rows += [_row(capture, f"{key}:{capture.sha256}", lang) for capture in members]
    if passed:
        opened = not folded.get(PASSED, True)
        over = (Span("· ", "dim"), Span(say("tui.import.passed", lang), "strong"))
        rows.append(Row(PASSED, (over, word(len(passed), "dim"), ()), opened=opened))
        if opened:
            rows += [Row(f"{PASSED}:{i}", (_passed(*item, lang), (), ()), depth=1) for i, item in enumerate(passed)]
    columns = (
        Column(say(f"tui.evidence.by-{group}", lang), flex=True, middle=True),
        Column(say("tui.evidence.size", lang), right=True, drop=1),
        Column(say("tui.evidence.role", lang), drop=2),
    )
    return Table(columns, tuple(rows), empty=say("tui.evidence.none", lang))


def _row(capture: Capture, key: str, lang: Lang) -> Row:
    sign, tone = STATE_SIGNS[capture.state]
    short = capture.name.rsplit("/", 1)[-1]
    role = say(f"tui.role.{capture.role}", lang) if capture.role else ""
    return Row(key, ((Span(f"{sign} ", tone), Span(short)), word(size(capture.size), "dim"), word(role, "info")), depth=1)


def _passed(name: str, why: str, detail: str, lang: Lang) -> Phrase:
    reason = say(f"refused.{why}", lang)
    return (Span(f"{name.rsplit('/', 1)[-1]}  "), Span(f"{reason} ({detail})" if detail else reason, "dim"))


def sha_of(key: str) -> str | None:
    """The capture that a row of the tree stands for; None for a group."""
    parts = key.rsplit(":", 1)
    return parts[1] if key.count(":") >= 2 and len(parts[1]) == 64 else None


def worst(states: Iterable[State]) -> State:
    found = set(states)
    return next(state for state in _WORST if state in found)


def heading(capture: Capture, lang: Lang) -> str:
    """What a capture is, for the title of its text."""
    words = [capture.name, *tools_of(capture)[:3]]
    hosts = hosts_of(capture)
    if hosts and len(hosts) <= 2:
        words.append(listed(hosts, lang))
    if capture.role:
        words.append(say(f"tui.role.{capture.role}", lang))
    return " · ".join(words)


def troubles(capture: Capture, lang: Lang) -> Phrase:
    """Why nothing or not all of a capture was read."""
    if capture.failed:
        return word(say("tui.evidence.failed", lang, why=capture.failed), "bad")
    if capture.reading.refused:
        return word(say(f"refused.{capture.reading.refused}", lang), "dim")
    return ()


@dataclass(frozen=True, slots=True)
class Cover:
    """How many captures speak of a layer: of no host in particular, and of each host."""

    layer: str
    site: int
    hosts: tuple[int, ...]


def coverage(bundle: Bundle, switches: frozenset[str] = frozenset()) -> tuple[tuple[str, ...], tuple[Cover, ...]]:
    """All hosts that captures name, in order, and what each layer has. What a switch says is of no host in particular."""
    counts: dict[str, dict[str, int]] = {layer: {} for layer in LAYER_TOOLS}
    names: set[str] = set()
    for capture in bundle.captures:
        for part in capture.reading.parts:
            host = host_of(capture, part) or ""
            host = "" if host in switches else host
            for layer, tools in LAYER_TOOLS.items():
                if part.tool in tools and part.facts:
                    counts[layer][host] = counts[layer].get(host, 0) + 1
                    names.add(host)
    hosts = tuple(sorted(names - {""}))
    return hosts, tuple(Cover(layer, found.get("", 0), tuple(found.get(host, 0) for host in hosts)) for layer, found in counts.items())


def coverage_table(bundle: Bundle, lang: Lang, cells: int, switches: frozenset[str] = frozenset()) -> Table:
    """The grid: a row for each layer, a cell for each host, or for several where there are more hosts than cells."""
    hosts, covers = coverage(bundle, switches)
    per = max(-(-len(hosts) // max(cells, 1)), 1)
    rows: list[Row] = []
    for cover in covers:
        grid: list[Span] = []
        for start in range(0, len(hosts), per):
            there = cover.hosts[start : start + per]
            has = sum(count > 0 for count in there)
            grid.append(Span("■", "good") if has == len(there) else Span("◧", "warn") if has else Span("·", "dim"))
        covered = sum(count > 0 for count in cover.hosts)
        site = word(f"✓ {cover.site}", "good") if cover.site else word("–", "dim")
        total: Phrase = word(
            f"{number(covered)}/{number(len(hosts))}", "good" if hosts and covered == len(hosts) else "warn" if covered else "dim"
        )
        rows.append(Row(cover.layer, (word(say(f"tui.layer.{cover.layer}", lang)), site, total, tuple(grid))))
    title = say("tui.evidence.hosts", lang) if per == 1 else say("tui.evidence.hosts-per", lang, n=per)
    columns = (
        Column(say("tui.evidence.layer", lang)),
        Column(say("tui.evidence.site", lang)),
        Column(say("tui.evidence.covered", lang), right=True),
        Column(title, flex=True),
    )
    return Table(columns, tuple(rows))


def counts(bundle: Bundle, lang: Lang) -> Phrase:
    """How many captures are in each state."""
    found: dict[State, int] = {}
    for capture in bundle.captures:
        found[capture.state] = found.get(capture.state, 0) + 1
    return joined(
        *(
            word(f"{STATE_SIGNS[state][0]} {number(found[state])} {say(f'tui.state.{state}', lang)}", STATE_SIGNS[state][1])
            for state in ("read", "read-in-part", "not-recognised", "refused", "failed")
            if state in found
        ),
        between="  ",
    )
