"""The next best probe: what would lower the uncertainty most for the minutes that it takes."""

import re
from collections.abc import Mapping

from advisor.base.text import Text
from advisor.diagnosis.findings import Findings
from advisor.diagnosis.library import Library
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Probe
from advisor.diagnosis.weigh import OPEN_ODDS, Decision, entropy

SHOWN = 5
OVERHEAD_MINUTES = 20  # asking for it, getting to the machine and back, whatever the probe takes
POWER = (0.8, 0.7, 0.6, 0.5)  # how often a probe settles a cause, by its place among the probes that the cause asks for
SILENT = 0.1  # of a cause for which nothing speaks yet, the part of its odds that a probe is chosen by
NAMES = {"host", "peer", "device", "devices", "netdev", "pci", "leaf"}  # what stands in braces in a probe
_NAME = re.compile(r"\{(\w+)\}")


def next_probes(site: Observed, found: Findings, known: Library, decision: Decision) -> tuple[Probe, ...]:
    """Probes by expected drop of uncertainty over minutes, best first. A probe of which everything is known already is left out."""
    odds = _odds(found, known)
    before = entropy([OPEN_ODDS, *(value for value, _ in odds.values())])
    whole = OPEN_ODDS + sum(value for value, _ in odds.values())
    names = _names(site, decision)
    ranked = []
    for name, probe in known.probes.items():
        if probe.gives and all(measure in found.values for measure in probe.gives):
            continue
        rest = [OPEN_ODDS, *(value * (1 - _power(name, asked)) for value, asked in odds.values())]
        gain = before - sum(rest) / whole * entropy(rest)
        if sum(rest) < whole:
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


def _power(probe: str, asked: tuple[str, ...]) -> float:
    return POWER[min(asked.index(probe), len(POWER) - 1)] if probe in asked else 0.0


def _odds(found: Findings, known: Library) -> dict[str, tuple[float, tuple[str, ...]]]:
    """Odds of every cause by its strongest signature, and the probes that this one asks for, best first."""
    odds: dict[str, tuple[float, tuple[str, ...]]] = {}
    for finding in found.findings:
        cause = finding.signature.cause
        value = known.causes[cause].odds * finding.factor * (1 if finding.factor > 1 else SILENT)
        if cause not in odds or value > odds[cause][0]:
            odds[cause] = (value, finding.signature.probes)
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


def _filled(run: Text, names: Mapping[str, str]) -> Text:
    """The command with the site's names; a name that is not known stays as a word in capitals for a person to fill."""

    def fill(text: str) -> str:
        return _NAME.sub(lambda match: names.get(match[1], match[1].upper()), text)

    return Text(en=fill(run.en), zh=fill(run.zh))
