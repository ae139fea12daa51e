"""Series over time: use and load of links and hosts, speed of jobs; from answers of Prometheus, from Grafana and from training logs.

What a series shows is told from its metric, else from the name of its capture. A counter (it never falls) becomes its rate.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from advisor.diagnosis.observed import Observed
from advisor.evidence.bundle import origin
from advisor.evidence.origin import Origin
from advisor.fabric.facts import tree

Kind = Literal["use", "load", "speed"]
_SLOW = re.compile(r"step[_ -]?(time|duration)|iteration[_ -]?(time|duration)|latency|step_s\b", re.IGNORECASE)
_SPEED = re.compile(r"throughput|(samples|tokens|steps|images)[_ -]?per|busbw|algbw|tflops|mfu", re.IGNORECASE)
_USE = re.compile(r"util|used_percent|usage|busy_percent", re.IGNORECASE)
_LOAD = re.compile(r"octets|bytes|bits|gbps|xmit_data|rcv_data|[rt]x_|transmit|receive|traffic|_rate\b", re.IGNORECASE)
_LINKS = ("ifName", "ifDescr", "interface", "port", "device", "ifAlias")
_PLACES = ("instance", "host", "hostname", "node", "Hostname", "nodename", "switch", "sysName", "job_name", "pod")
FEWEST = 10  # samples below which a series tells nothing


@dataclass(frozen=True, slots=True)
class Series:
    """`times`: seconds since 1970, ascending. `device`: host or switch.

    use: share of the rate, 0 to 1. load, speed: in a unit of their own, more is more.
    """

    kind: Kind
    about: str
    device: str
    times: tuple[float, ...]
    values: tuple[float, ...]
    origin: Origin


@lru_cache(maxsize=1)
def series(site: Observed) -> tuple[Series, ...]:
    """All series with FEWEST samples or more, in the order of the captures."""
    return tuple(one for one in (*_answers(site), *_steps(site)) if len(one.values) >= FEWEST)


def of_kind(site: Observed, *kinds: Kind) -> tuple[Series, ...]:
    return tuple(one for one in series(site) if one.kind in kinds)


def _answers(site: Observed) -> Iterator[Series]:
    for capture, part in site.bundle.parts("prometheus", "grafana-csv"):
        found = part.facts.get("series")
        for i, row in enumerate(found if isinstance(found, list) else ()):
            if not isinstance(row, Mapping):
                continue
            labels: Mapping[str, Any] = tree(row.get("labels"))
            metric = str(row.get("metric") or "")
            told = _told(f"{metric} {row.get('unit') or ''}") or _told(capture.name) or (("load", False) if labels else None)
            pairs = _pairs(row.get("samples"))
            if told is None or not pairs:
                continue
            kind, is_slowness = told
            times, values = zip(*pairs, strict=True)
            times, values = _as_rate(times, values) if metric.endswith(("_total", "Octets")) and kind == "load" else (times, values)
            device = next((_bare(str(labels[key])) for key in _PLACES if key in labels), "")
            port = " ".join(str(labels[key]) for key in _LINKS if key in labels)
            values = tuple(1 / value if value else 0.0 for value in values) if is_slowness else _shares(values) if kind == "use" else values
            about = f"{device} {port}".strip() or metric or capture.name
            yield Series(kind, about, device, tuple(times), tuple(values), origin(capture, part, ("series", str(i))))


def _told(text: str) -> tuple[Kind, bool] | None:
    """The kind of a series by words, and whether its figure grows as things get slower."""
    if _SLOW.search(text):
        return "speed", True
    if _SPEED.search(text):
        return "speed", False
    return ("use", False) if _USE.search(text) else ("load", False) if _LOAD.search(text) else None


def _bare(instance: str) -> str:
    """`gpu-07:9100` is gpu-07."""
    return re.sub(r":\d+$", "", instance)


def _pairs(samples: Any) -> list[tuple[float, float]]:
    rows = samples if isinstance(samples, list) else []
    known = [(row[0], row[1]) for row in rows if isinstance(row, list) and len(row) == 2 and None not in row]
    return sorted((float(time), float(value)) for time, value in known if isinstance(time, int | float) and isinstance(value, int | float))


def _as_rate(times: Sequence[float], values: Sequence[float]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The rate of a counter between its samples; where it falls (a reset) nothing is known."""
    steps = [
        (t2, (v2 - v1) / (t2 - t1)) for t1, t2, v1, v2 in zip(times, times[1:], values, values[1:], strict=False) if t2 > t1 and v2 >= v1
    ]
    return tuple(time for time, _ in steps), tuple(rate for _, rate in steps)


def _shares(values: Sequence[float]) -> tuple[float, ...]:
    """Use as a share: what exceeds 1.5 anywhere is in per cent."""
    return tuple(value / 100 for value in values) if max(values) > 1.5 else tuple(values)


def _steps(site: Observed) -> Iterator[Series]:
    """Speed of the steps of training logs that carry times."""
    for capture, part in site.bundle.parts("training-log"):
        rows = part.facts.get("steps")
        found = []
        for row in (rows if isinstance(rows, Mapping) else {}).values():
            speed, time = _speed(row), moment(str(row.get("time") or "")) if isinstance(row, Mapping) else None
            if speed is not None and time is not None:
                found.append((time, speed))
        if found:
            times, values = zip(*sorted(found), strict=True)
            yield Series("speed", capture.name, part.host or "", times, values, origin(capture, part, ("steps",)))


def _speed(row: Any) -> float | None:
    if not isinstance(row, Mapping):
        return None
    time = row.get("step_time_s")
    if isinstance(time, int | float) and time > 0:
        return 1 / float(time)
    rate = row.get("samples_per_s") or row.get("tokens_per_s")
    return float(rate) if isinstance(rate, int | float) else None


def moment(text: str) -> float | None:
    """Seconds since 1970 of a date or time as people and logs write it; one without a zone counts as UTC. None where it is neither."""
    clean = text.strip().strip("[]").replace("/", "-").replace(",", ".")
    try:
        when = datetime.fromisoformat(clean)
    except ValueError:
        return None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
