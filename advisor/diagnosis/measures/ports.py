"""Ports beside their partners: lanes in use, forward error correction, flaps, and traffic classes of NIC and switch."""

from collections.abc import Iterator

from advisor.diagnosis.flow_control import side_by_side
from advisor.diagnosis.growth import counted, grown
from advisor.diagnosis.measured import Row, measure
from advisor.diagnosis.observed import Observed
from advisor.evidence.origin import Origin


@measure("port_width_share", "port-rate", "fabric")
def width_share(site: Observed) -> Iterator[Row]:
    """Lanes of a link in use over the lanes that both its ends could use, as iblinkinfo and mlxlink tell: below 1 it trained down."""
    for pattern in ("ports.*.width", "switches.*.ports.*.width", "cas.*.ports.*.width"):
        for known in site.facts(pattern):
            row = known.part.facts
            for step in known.path[:-1]:
                row = row[step]
            possible = row.get("width_possible")
            if isinstance(known.value, int | float) and isinstance(possible, int | float) and possible:
                yield known.value / possible, " ".join(filter(None, (known.host, *known.names))), (known.origin,)


@measure("fec_differs", "fec", "fabric")
def fec_differs(site: Observed) -> Iterator[Row]:
    """Whether active ports of one rate and link layer run different forward error correction; about the ports that differ from most."""
    seen: dict[tuple[float, str], list[tuple[str, str, Origin]]] = {}
    for pattern in ("ports.*", "interfaces.*"):
        for known in site.facts(pattern):
            row = known.value if isinstance(known.value, dict) else {}
            fec, rate = row.get("fec"), row.get("rate_gbps")
            if isinstance(fec, str) and isinstance(rate, int | float) and row.get("state") in (None, "active"):
                about = f"{known.host or known.capture.name} {known.names[0]}"
                seen.setdefault((float(rate), str(row.get("link_layer") or "")), []).append((fec, about, known.origin))
    for (rate, _), ports in sorted(seen.items()):
        if len(ports) < 2:
            continue
        words = [fec for fec, _, _ in ports]
        usual = max(sorted(set(words)), key=words.count)
        odd = [(about, where) for fec, about, where in ports if fec != usual]
        about = ", ".join(name for name, _ in odd[:4]) or f"{rate:g} Gb/s"
        yield bool(odd), about, [where for _, where in odd[:4]] or [ports[0][2]]


@measure("link_flaps_growing", "link", "fabric")
def flaps(site: Observed) -> Iterator[Row]:
    """Whether a link went down between two takes of its counters, or a person says that flaps grow."""
    yield from counted(site, "link_downed", "link_failures")
    yield from grown(site, "link_flaps", "link_downed")


@measure("class_settings_differ", "class-map", "flow-control")
def classes_differ(site: Observed) -> Iterator[Row]:
    """Whether PFC, or the priority of a DSCP, differs between a NIC and a switch in front of it, as both were captured."""
    for one in side_by_side(site.bundle, site.fabric):
        if all(side.name for side in one.sides):  # both were captured
            host, switch = (side.classes for side in one.sides)
            pairs = [(host[p].pfc, switch[p].pfc) for p in host if p in switch]
            known = [(a, b) for a, b in pairs if a is not None and b is not None]
            strayed = any("DSCP" in text.en for line in one.lines for text in line.mismatches)
            if known:
                yield strayed or any(a != b for a, b in known), " / ".join(side.name for side in one.sides), one.sides[1].origins
