"""The next best probe: what would lower the uncertainty most for the minutes that it takes."""

import re
from collections.abc import Mapping

from advisor.diagnosis.findings import Findings
from advisor.diagnosis.library import Library
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Probe
from advisor.diagnosis.weigh import OPEN_ODDS, Decision, entropy

SHOWN = 5
OVERHEAD_MINUTES = 10  # getting to the machine and back, whatever the probe takes
POWER = 0.8  # share of cases in which a probe settles what it is for
NAMES = {"host", "peer", "device", "devices", "netdev", "pci", "leaf"}  # what stands in braces in a probe
_NAME = re.compile(r"\{(\w+)\}")


def next_probes(site: Observed, found: Findings, known: Library, decision: Decision) -> tuple[Probe, ...]:
    """Probes by expected drop of uncertainty over minutes, best first. A probe of which everything is known already is left out."""
    odds = _odds(found, known)
    whole = OPEN_ODDS + sum(value for value, _ in odds.values())
    before = entropy([OPEN_ODDS, *(value for value, _ in odds.values())])
    names = _names(site, decision)
    ranked = []
    for name, probe in known.probes.items():
        if probe.gives and all(measure in found.values for measure in probe.gives):
            continue
        settled = {cause for cause, (_, asked) in odds.items() if name in asked}
        rest = [OPEN_ODDS, *(value for cause, (value, _) in odds.items() if cause not in settled)]
        gain = POWER * (before - sum(rest) / whole * entropy(rest))
        if settled:
            ranked.append((-gain / (probe.minutes + OVERHEAD_MINUTES), name, gain))
    return tuple(
        Probe(
            probe=name,
            where=names.get("host", ""),
            run=_filled(known.probes[name].run, names),
            decides=known.probes[name].decides,
            gain=gain,
            minutes=known.probes[name].minutes,
        )
        for _, name, gain in sorted(ranked)[:SHOWN]
    )


def _odds(found: Findings, known: Library) -> dict[str, tuple[float, frozenset[str]]]:
    """Odds of every cause by its strongest signature, and the probes that its signatures ask for."""
    odds: dict[str, tuple[float, frozenset[str]]] = {}
    for finding in found.findings:
        cause = finding.signature.cause
        before, asked = odds.get(cause, (0.0, frozenset()))
        odds[cause] = (max(before, known.causes[cause].odds * finding.factor), asked | frozenset(finding.signature.probes))
    return odds


def _names(site: Observed, decision: Decision) -> dict[str, str]:
    """The site's own names for what stands in braces in a probe: a host of the leading evidence, its partner, device, leaf."""
    hosts = [name for name, host in site.fabric.hosts.items() if host.named]
    about = [one.about for cause in decision.causes[:1] for finding in cause.findings for seen in finding.seen for one in seen.because]
    named = [host for host in hosts if any(host in text.split() for text in about)]
    ordered = [*dict.fromkeys([*named, *hosts])]
    found: dict[str, str] = {}
    if ordered:
        found["host"] = ordered[0]
        found |= {"peer": ordered[1]} if len(ordered) > 1 else {}
        ports = [port for port in site.fabric.hosts[ordered[0]].ports.values() if port.state in (None, "active")]
        devices = [port.name.split("/")[0] for port in ports if "/" in port.name]
        if devices:
            found |= {"device": devices[0], "devices": " ".join(dict.fromkeys(devices))}
        netdevs = [port.netdev for port in ports if port.netdev]
        found |= {"netdev": netdevs[0]} if netdevs else {}
    leaves = [leaf.name for leaf in site.fabric.leaves if leaf.name != "*"]
    found |= {"leaf": leaves[0]} if leaves else {}
    return found


def _filled(run: str, names: Mapping[str, str]) -> str:
    """The command with the site's names; a name that is not known stays as a word in capitals for a person to fill."""
    return _NAME.sub(lambda match: names.get(match[1], match[1].upper()), run)
