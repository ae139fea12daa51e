"""What was measured over time at the ports of a fabric: what they lost, and every curve that can be drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from advisor.base.text import Lang, say
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.timeline import series
from advisor.evidence.bundle import Bundle
from advisor.evidence.origin import Origin
from advisor.fabric.model import Fabric, Link, Port
from advisor.fabric.series import Rate, rates
from advisor.tui.views.fabric import steps
from advisor.tui.views.figures import number
from advisor.tui.views.plot import Curve

_LOST = ("rx_discards", "tx_discards", "rx_errors", "tx_errors", "symbol_errors", "rx_no_buffer", "crc_errors")
_FEWEST = 2  # growths of a counter from which on they make a curve


@dataclass(frozen=True, slots=True)
class Drawn:
    """A curve with its title, the device and port that it is about, and where it was captured."""

    title: str
    curve: Curve
    device: str = ""
    port: str = ""
    origin: Origin | None = None


@dataclass(frozen=True)
class Measured:
    """What counters grew by, by device and port."""

    grown: Mapping[tuple[str, str], tuple[Rate, ...]] = field(default_factory=dict)

    @staticmethod
    def of(bundle: Bundle) -> "Measured":
        found: dict[tuple[str, str], list[Rate]] = {}
        for rate in rates(bundle):
            found.setdefault((rate.device, rate.port), []).append(rate)
        return Measured({place: tuple(its) for place, its in found.items()})


def losses(fabric: Fabric, measured: Measured) -> Mapping[tuple[str, str], float]:
    """Packets lost or damaged at each port: what counters grew by between takes, else since they were reset."""
    found: dict[tuple[str, str], float] = {}
    for device, ports in _ports(fabric):
        for port in ports.values():
            known = [port.counters[name] for name in _LOST if name in port.counters]
            if known:
                for name in filter(None, (port.name, port.netdev)):
                    found[device, name] = float(sum(known))
    for place, its in measured.grown.items():
        lost = [rate.at_least for rate in its if rate.counter in _LOST]
        if lost:
            found[place] = float(sum(lost))
    return found


def _ports(fabric: Fabric) -> list[tuple[str, Mapping[str, Port]]]:
    return [(host.name, host.ports) for host in fabric.hosts.values()] + [(one.name, one.ports) for one in fabric.switches.values()]


def curves(bundle: Bundle, fabric: Fabric, measured: Measured, lang: Lang) -> tuple[Drawn, ...]:
    """Every curve: step times of training logs, the longest first; series of monitoring; counters that were taken three times or more."""
    found = [
        Drawn(log.name, steps(log, lang), log.host or "", origin=log.origin)
        for log in sorted(fabric.logs, key=lambda log: -len(log.steps))
        if log.steps
    ]
    logs = {log.name for log in fabric.logs}
    for one in series(Observed(bundle, fabric)):
        if one.about not in logs:
            unit = "%" if one.kind == "use" else ""
            points = tuple(value * 100 for value in one.values) if one.kind == "use" else one.values
            ends = _clock(one.times[0]), _clock(one.times[-1])
            title = f"{one.about} · {say(f'tui.fabric.series-{one.kind}', lang)}"
            port = one.about.removeprefix(one.device).strip()
            found.append(Drawn(title, Curve(points, unit=unit, first=ends[0], last=ends[1]), one.device, port, one.origin))
    for (device, port), its in measured.grown.items():
        found += _counters(device, port, its)
    return tuple(found)


def _counters(device: str, port: str, its: tuple[Rate, ...]) -> list[Drawn]:
    names = dict.fromkeys(rate.counter for rate in its)
    found = []
    for name in names:
        mine = [rate for rate in its if rate.counter == name]
        points = tuple(rate.gbps if rate.gbps is not None else rate.per_s for rate in mine)
        if sum(point is not None for point in points) >= _FEWEST and any(points):
            unit = "Gb/s" if name.endswith("bytes") else "/s"
            found.append(Drawn(f"{device} {port} · {name}", Curve(points, unit=unit), device, port, mine[-1].origins[1]))
    return found


def _clock(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%m-%d %H:%M")


def curve_of(found: tuple[Drawn, ...], link: Link | None, device: str) -> int | None:
    """Place of the first curve that is about a link's end, else about a device."""
    ends = [(end.device, end.port) for end in (link.a, link.b)] if link else []
    near = (i for i, one in enumerate(found) if one.port and (one.device, one.port) in ends)
    return next(near, next((i for i, one in enumerate(found) if one.device and one.device == device), None))


def growth(measured: Measured, device: str, port: str, lang: Lang, most: int = 6) -> str:
    """What the counters of a port grew by a second, the telling ones first; empty where they were not taken twice."""
    its = [rate for rate in measured.grown.get((device, port), ()) if rate.per_s]
    telling = ("bytes", "discards", "errors", "pause", "ecn_marked", "cnp")
    its.sort(key=lambda rate: next((i for i, part in enumerate(telling) if part in rate.counter), len(telling)))
    said = []
    for rate in its[:most]:
        value = f"{number(rate.gbps)} Gb/s" if rate.gbps is not None else f"{number(rate.per_s)}/s"
        said.append(f"{rate.counter} {value}")
    return " · ".join(said)
