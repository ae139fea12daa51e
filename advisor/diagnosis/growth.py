"""Growth of counters and where it is: between two captures of the same port, and as a person states it. A total never tells when."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from advisor.diagnosis.measured import Row
from advisor.diagnosis.observed import Observed
from advisor.evidence.origin import Origin

# A pause frame stops a port for 65,535 times 512 bit times at most (IEEE 802.1Qbb): 0.34 ms at 100 Gb/s. Fewer than one in a second are
# below a thirtieth of a percent of the time; a healthy fabric has that much.
LEAST_PAUSE_PER_S = 1.0
_PAUSE = {"rx_pause", "tx_pause", "rx_pfc", "tx_pfc", "pause", "pfc"}


@dataclass(frozen=True, slots=True)
class Growth:
    """What a counter of one port grew by. `at`: host, host-edge (a switch's port to a host), leaf-uplink, spine; empty where unknown.

    delta     None where a reset in between or the counter's ceiling hides it
    at_least  what is sure all the same: what was counted since the reset, or up to the ceiling
    """

    device: str
    about: str
    at: str
    delta: float | None
    at_least: float
    duty: float | None  # of a counter of time: share of the time
    origins: tuple[Origin, ...]
    is_little: bool = False  # pause frames so few that they stop nothing

    @property
    def grew(self) -> bool | None:
        """None where neither the growth nor any part of it is known: zero after a reset says nothing of the time before."""
        if self.delta is not None:
            return self.delta > 0 and not self.is_little
        return True if self.at_least > 0 else None


def growth(site: Observed, *counters: str) -> Iterator[Growth]:
    """Growth of common counters, also under any priority (`priorities.3.rx_pause`), where it or a part of it is known."""
    for rate in (rate for name in counters for rate in site.rates.get(name, ())):
        if rate.delta is not None or rate.at_least > 0:
            at = _place(site, rate.device, rate.port)
            little = rate.counter.rsplit(".", 1)[-1] in _PAUSE and rate.per_s is not None and rate.per_s < LEAST_PAUSE_PER_S
            yield Growth(rate.device, f"{rate.device} {rate.port}", at, rate.delta, rate.at_least, rate.duty, rate.origins, little)


def _place(site: Observed, device: str, port: str) -> str:
    if device in site.fabric.hosts:
        return "host"
    if device not in site.fabric.switches:
        return ""
    for link in site.fabric.links_by_device.get(device, ()):
        for mine, other in ((link.a, link.b), (link.b, link.a)):
            if (mine.device, mine.port) == (device, port):
                if other.device in site.fabric.hosts:
                    return "host-edge"
                return "spine" if site.fabric.switches[device].tier == "spine" else "leaf-uplink"
    return ""


def grown(site: Observed, *names: str) -> Iterator[Row]:
    """Whether stated counters of these names grow: as a person says, or by their rate."""
    for entry in site.entries("counters"):
        if str(entry.get("name")) in names:
            growing, rate = entry.get("growing"), entry.number("value_per_s")
            if growing is not None or rate is not None:
                yield growing if growing is not None else (rate or 0) > 0, str(entry.get("at") or ""), (entry.origin("name"),)


def counted(site: Observed, *counters: str) -> Iterator[Row]:
    """Whether captured counters of these names grew: the ports at which they did, else one that shows that they did not."""
    yield from telling((one.grew, one.about, one.origins) for one in growth(site, *counters) if one.grew is not None)


def telling(rows: Iterable[Row], answer: bool = True) -> Iterator[Row]:
    """Of yes and no per thing, those with the answer that decides for the site; where none has it, the first of the others."""
    known = list(rows)
    yield from [row for row in known if row[0] is answer] or known[:1]
