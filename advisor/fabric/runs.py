"""Measurements: what a person stated of runs, joined with the captures that hold their figures, and the captures that no one spoke of."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, Literal

from advisor.evidence.bundle import Bundle, Capture, host_of, origin
from advisor.evidence.reading import Part
from advisor.fabric.facts import entries, names, number, numbers, text, tree, whole
from advisor.fabric.model import Conflict, Run

FIGURES = (
    *("busbw_gBps", "algbw_gBps", "rate_gbps", "rate_gBps", "time_s", "step_s", "samples_per_s", "tokens_per_s", "tflops", "mfu_percent"),
    *("p99_over_p50", "relative", "of_expected"),
)
_OWN_FIELDS = {"label", "what", "file", "between", "hosts", "leaves", "ranks", "placement", "load", "algorithm", "size_bytes", "outcome"}
_PLACEMENTS = {"same-host", "same-leaf", "cross-leaf", "mixed"}
_MEASURING = ("nccl-tests", "perftest", "iperf3", "fio", "ior", "elbencho")
_LAUNCHED = {"nccl-tests", "ior", "nccl-log"}  # a launcher starts them on other machines than the one where their output is seen
_PLACED = re.compile(r"(same|cross|inter|intra)[-_ ]?(leaf|host)", re.IGNORECASE)


def runs(bundle: Bundle) -> tuple[Run, ...]:
    """All measurements: stated ones in the order of the form, then the captures that no statement names, in the bundle's order.

    A statement's `file` names a capture; its figures are those that the tool printed there (repeats, if it holds several runs), with
    what the person adds. Where a statement repeats a figure of the capture, the captured one is used (build keeps the conflict).
    """
    found: list[Run] = []
    taken: set[str] = set()
    for capture, part in bundle.parts("site"):
        for i, entry in enumerate(entries(part.facts.get("runs"))):
            holders = captures_named(bundle, text(entry.get("file")))
            taken.update(holder.sha256 for holder in holders)
            found.append(_stated(capture, part, i, entry, holders))
    for capture in bundle.captures:
        if capture.sha256 not in taken:
            found.extend(_captured(capture))
    return tuple(found)


def run_conflicts(bundle: Bundle) -> tuple[Conflict, ...]:
    """Figures that a person states of a run otherwise than the capture that the statement names."""
    found = []
    for capture, part in bundle.parts("site"):
        for i, entry in enumerate(entries(part.facts.get("runs"))):
            for run in (run for holder in captures_named(bundle, text(entry.get("file"))) for run in _captured(holder)):
                for name, told in stated_figures(entry).items():
                    printed = run.figures.get(name)
                    if printed and run.origin and all(abs(a - b) > 0.01 * abs(b) for a in told for b in printed):
                        found.append(
                            Conflict(
                                thing=run.label,
                                figure=name,
                                values=(str(printed[0]), str(told[0])),
                                origins=(run.origin, origin(capture, part, ("runs", str(i), name))),
                                used=str(printed[0]),
                            )
                        )
    return tuple(found)


def captures_named(bundle: Bundle, file: str | None) -> list[Capture]:
    """The captures that a person means by the name of a file: its whole name, or the last steps of it."""
    if not file:
        return []
    wanted = PurePosixPath(file.replace("\\", "/")).parts
    return [c for c in bundle.captures if PurePosixPath(c.name.replace("!", "/")).parts[-len(wanted) :] == wanted]


def stated_figures(entry: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
    return {name: values for name in FIGURES if (values := numbers(entry.get(name)))}


def _stated(capture: Capture, part: Part, i: int, entry: Mapping[str, Any], holders: list[Capture]) -> Run:
    path = ("runs", str(i))
    captured = [run for holder in holders for run in _captured(holder)]
    figures = stated_figures(entry)
    joined: dict[str, tuple[float, ...]] = {}
    for run in captured:
        for name, values in run.figures.items():
            joined[name] = joined.get(name, ()) + values
    settings: dict[str, Any] = {}
    for run in captured:
        settings |= run.settings
    settings |= {key: value for key, value in entry.items() if key not in _OWN_FIELDS and key not in FIGURES}
    load = text(entry.get("load"))
    first = captured[0] if captured else None
    between = names(entry.get("between"))
    return Run(
        label=text(entry.get("label")) or text(entry.get("file")) or f"#{i + 1}",
        what=text(entry.get("what")) or (first.what if first else None),
        hosts=between or (first.hosts if first else ()),
        host_count=whole(entry.get("hosts")) or len(between) or (first.host_count if first else None),
        ranks=whole(entry.get("ranks")) or (first.ranks if first else None),
        leaves=whole(entry.get("leaves")),
        placement=_placement(entry.get("placement")) or (first.placement if first else None),
        load=_load(load) or (first.load if first else None),
        role=first.role if first else capture.role,
        size_bytes=(first.size_bytes if first else None) or whole(entry.get("size_bytes")),
        algorithm=text(entry.get("algorithm")),
        figures=figures | joined,
        outcome=text(entry.get("outcome")),
        settings=settings,
        tool=first.tool if first else None,
        origin=first.origin if first and joined else origin(capture, part, path),
    )


def _captured(capture: Capture) -> Iterator[Run]:
    """The runs that a capture holds. A library's log beside a run of a tool belongs to the run; alone it is a run without figures."""
    parts = [part for part in capture.reading.parts if part.facts]
    log: dict[str, Any] = {}
    for part in parts:
        if part.tool == "nccl-log":
            log |= {key: value for key, value in part.facts.items() if key not in ("ports", "tree")}
    measured = [part for part in parts if part.tool in _MEASURING]
    for i, part in enumerate(measured):
        for run in _FROM[part.tool](capture, part):
            label = capture.name if len(measured) == 1 else f"{capture.name} #{i + 1}"
            more = log if part.tool == "nccl-tests" else {}
            yield run.model_copy(update={"label": label, "settings": {**more, **run.settings}})
    if log and not measured:
        part = next(part for part in parts if part.tool == "nccl-log")
        yield _run(capture, part, None, {}).model_copy(
            update={"ranks": whole(log.get("rank_count")), "host_count": whole(log.get("host_count")), "settings": log}
        )


def _run(capture: Capture, part: Part, what: str | None, figures: dict[str, float | None], path: tuple[str, ...] = ()) -> Run:
    host = host_of(capture, part)
    return Run(
        label=capture.name,
        what=what,
        hosts=(host,) if host and part.tool not in _LAUNCHED else (),
        placement=placement_of_name(capture.name),
        load=_load(capture.role),
        role=capture.role,
        figures={name: (value,) for name, value in figures.items() if value is not None},
        tool=part.tool,
        origin=origin(capture, part, path),
    )


def _nccl_tests(capture: Capture, part: Part) -> Iterator[Run]:
    size, row = _largest(part)
    place = tree(row.get("out_of_place")) or tree(row.get("in_place"))
    figures = {
        "busbw_gBps": number(place.get("busbw_gBps")),
        "algbw_gBps": number(place.get("algbw_gBps")),
        "avg_busbw_gBps": number(part.facts.get("avg_busbw_gBps")),
    }
    path = ("sizes", str(size)) if size is not None else ()
    yield _run(capture, part, text(part.facts.get("collective")), figures, path).model_copy(
        update={"size_bytes": size, "ranks": whole(part.facts.get("rank_count")), "host_count": whole(part.facts.get("host_count"))}
    )


def _perftest(capture: Capture, part: Part) -> Iterator[Run]:
    size, row = _largest(part)
    test = text(part.facts.get("test"))
    latency = {key: number(row.get(key)) for key in ("latency_typical_us", "latency_p99_us", "latency_avg_us")}
    figures = {"rate_gbps": number(row.get("avg_gbps")), "peak_gbps": number(row.get("peak_gbps")), **latency}
    settings = {
        ours: part.facts[theirs]
        for ours, theirs in (
            ("queue_pairs", "qp_count"),
            ("bidirectional", "bidirectional"),
            ("device", "device"),
            ("mtu_bytes", "mtu_bytes"),
        )
        if theirs in part.facts
    }
    path = ("sizes", str(size)) if size is not None else ()
    yield _run(capture, part, f"ib_{test}" if test else None, figures, path).model_copy(update={"size_bytes": size, "settings": settings})


def _iperf3(capture: Capture, part: Part) -> Iterator[Run]:
    facts = part.facts
    rate = number(facts.get("received_gbps"))
    figures = {"rate_gbps": rate if rate is not None else number(facts.get("sent_gbps")), "retransmits": number(facts.get("retransmits"))}
    settings = {key: facts[key] for key in ("protocol", "direction", "stream_count", "target_gbps", "tx", "rx") if key in facts}
    if "stream_count" in settings:
        settings["streams"] = settings.pop("stream_count")
    yield _run(capture, part, "iperf", figures).model_copy(update={"settings": settings})


def _storage(capture: Capture, part: Part) -> Iterator[Run]:
    for side in ("read", "write"):
        figures = tree(part.facts.get(side))
        rate = number(figures.get("bandwidth_gBps"))
        if rate is not None:
            more = {"rate_gBps": rate, "latency_p99_us": number(figures.get("latency_p99_us"))}
            yield _run(capture, part, f"io_{side}", more, (side,)).model_copy(update={"host_count": whole(part.facts.get("host_count"))})


_FROM = {
    "nccl-tests": _nccl_tests,
    "perftest": _perftest,
    "iperf3": _iperf3,
    "fio": _storage,
    "ior": _storage,
    "elbencho": _storage,
}


def _largest(part: Part) -> tuple[int | None, Mapping[str, Any]]:
    """The largest message of a sweep and its row: what a bandwidth is judged by."""
    sizes = {int(size): tree(row) for size, row in tree(part.facts.get("sizes")).items() if str(size).isdecimal()}
    if not sizes:
        return None, {}
    largest = max(sizes)
    return largest, sizes[largest]


def placement_of_name(name: str) -> str | None:
    """The placement that a capture's name tells (`same-leaf`, `cross-leaf`, `intra-host`), as its sender wrote it, or None."""
    match = _PLACED.search(name)
    if not match:
        return None
    inside = match.group(1).lower() in ("same", "intra")
    if match.group(2).lower() == "host":
        return "same-host" if inside else None
    return "same-leaf" if inside else "cross-leaf"


def _placement(value: Any) -> str | None:
    word = text(value)
    return word if word in _PLACEMENTS else None


def _load(value: Any) -> Literal["quiet", "busy"] | None:
    return "quiet" if value == "quiet" else "busy" if value == "busy" else None
