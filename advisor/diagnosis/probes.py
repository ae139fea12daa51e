"""The next best probe: what would lower the uncertainty most for the minutes that it takes and the risk that it runs."""

import re
from collections.abc import Mapping

from advisor.base.text import Text, text_of
from advisor.diagnosis.findings import Findings
from advisor.diagnosis.library import KnownProbe, Library
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdict import Probe
from advisor.diagnosis.weigh import OPEN_ODDS, Decision, entropy

SHOWN = 8
LEAST = 0.05  # of what the best probe is worth: below it nobody should get up for one
OVERHEAD_MINUTES = 20  # asking for it, getting to the machine and back, whatever the probe takes
RISK = {"none": 1.0, "load": 1.25, "jobs": 2.0}  # by how much longer a probe may count as taking for what it does to others (judgement)
POWER = (0.8, 0.7, 0.6, 0.5)  # how often a probe settles a cause, by its place among the probes that the cause asks for
SILENT = 0.1  # of a cause for which nothing speaks yet, the part of its odds that a probe is chosen by
NAMES = {"host", "peer", "device", "devices", "netdev", "pci", "leaf", "port"}  # what stands in braces in a probe
_CARD = re.compile(r"infiniband|ethernet|network", re.IGNORECASE)
_NAME = re.compile(r"\{(\w+)\}")


def next_probes(site: Observed, found: Findings, known: Library, decision: Decision) -> tuple[Probe, ...]:
    """Probes by expected drop of uncertainty over minutes and risk, best first. One of which everything is known is left out."""
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
            ranked.append((-gain / ((probe.minutes + OVERHEAD_MINUTES) * RISK[probe.risk]), name, gain))
    best = min((order for order, _, _ in ranked), default=0.0)
    worthwhile = sorted(row for row in ranked if row[0] <= LEAST * best)[:SHOWN]
    return tuple(_probe(name, known.probes[name], site, names, gain, -order) for order, name, gain in worthwhile)


def _probe(name: str, probe: KnownProbe, site: Observed, names: Mapping[str, str], gain: float, per_minute: float) -> Probe:
    in_front = probe.at == "switch" and "leaf" not in names and "host" in names  # the host is known, its switch is not
    return Probe(
        probe=name,
        at="switch-of" if in_front else probe.at,
        where=_where(probe.at, site, names),
        run=_filled(_on_this_gear(probe, site), names),
        decides=probe.decides,
        gain=gain,
        minutes=probe.minutes,
        risk=probe.risk,
        worth=per_minute * 60,
    )


def _where(at: str, site: Observed, names: Mapping[str, str]) -> str:
    """The site's name for the place; empty where it is not known."""
    if at == "pair":
        return ", ".join(names[name] for name in ("host", "peer") if name in names)
    if at == "switch":
        return names.get("leaf", names.get("host", ""))
    if at == "job":
        return next((job.name for job in site.fabric.jobs if len(job.hosts) > 1), names.get("host", ""))
    return names.get("host", "") if at == "host" else ""


def _on_this_gear(probe: KnownProbe, site: Observed) -> Text:
    """What to run, with what to type on the gear that the captures show; said once where several tools ask for the same."""
    here: dict[str, list[str]] = {}
    for tool, command in probe.gear.items():
        if tool in site.bundle.tools:
            here.setdefault(command, []).append(tool)
    said = text_of("diagnosis.probe-gear")
    if not here or said is None:
        return probe.run
    typed = "; ".join(f"{', '.join(tools)}: {command}" for command, tools in here.items())
    return Text(en=said.say("en", run=probe.run.en, typed=typed), zh=said.say("zh", run=probe.run.zh, typed=typed))


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
    ordered = [*dict.fromkeys([*named, *(host for host in hosts if site.fabric.hosts[host].ports), *hosts])]
    found: dict[str, str] = {}
    if ordered:
        found["host"] = ordered[0]
        found |= {"peer": ordered[1]} if len(ordered) > 1 else {}
        ports = [port for port in site.fabric.hosts[ordered[0]].ports.values() if port.state in (None, "active")]
        devices = [port.name.split("/")[0] for port in ports if "/" in port.name]
        if devices:
            found |= {"device": devices[0], "devices": " ".join(dict.fromkeys(devices))}
        netdevs = [port.netdev for port in ports if port.netdev] + [port.name for port in ports if "/" not in port.name]
        found |= {"netdev": netdevs[0]} if netdevs else {}
        cards = [
            known.names[0]
            for known in site.facts("devices.*.class", "lspci")
            if known.host == ordered[0] and _CARD.search(str(known.value))
        ]
        found |= {"pci": cards[0]} if cards else {}
    leaves = [leaf.name for leaf in site.fabric.leaves if leaf.name != "*"]
    found |= {"leaf": leaves[0]} if leaves else {}
    return found


def _filled(run: Text, names: Mapping[str, str]) -> Text:
    """The command with the site's names; a name that is not known stays as a word in capitals for a person to fill."""

    def fill(text: str) -> str:
        return _NAME.sub(lambda match: names.get(match[1], match[1].upper()), text)

    return Text(en=fill(run.en), zh=fill(run.zh))
