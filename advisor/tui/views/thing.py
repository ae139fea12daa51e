"""All that is known of one thing of the fabric: a leaf, a host, a link or a job, with where it is known from."""

from collections.abc import Mapping

from advisor.base.text import Lang, say
from advisor.fabric.model import Convergence, Fabric, Host, Leaf, Link, Pod
from advisor.traffic.predict import Load, Prediction
from advisor.tui.views.fabric import link_of, link_state, origins_of
from advisor.tui.views.figures import number, percent
from advisor.tui.views.measured import Measured, growth
from advisor.tui.views.topology import ratio_phrase, tone_of
from advisor.tui.views.words import Para, Phrase, joined, some, word


def modelled(prediction: Prediction) -> Mapping[str, float]:
    """How full the links up of each leaf and pod are by the model, the fuller direction."""
    found: dict[str, float] = {}
    for load in prediction.links:
        if load.kind != "port" and load.utilisation is not None:
            name = _name(load)
            found[name] = max(found.get(name, 0.0), load.utilisation)
    return found


def _name(load: Load) -> str:
    return load.target if load.source in ("spines", "core") else load.source


def job_rates(prediction: Prediction) -> Mapping[str, tuple[float | None, float | None]]:
    """What each job reaches and should reach by the model, busbw in GB/s."""
    return {one.job.name: (one.rate_gBps, one.expected_gBps) for one in prediction.jobs}


def about(fabric: Fabric, key: str, measured: Measured, model: Mapping[str, float], lang: Lang) -> tuple[Para, ...]:
    """The thing of a row in a few lines."""
    kind, _, name = key.partition(":")
    link = link_of(fabric, key)
    if link:
        lines = _link(link, measured, lang)
    elif kind in ("leaf", "pod"):
        lines = [line for one in (*fabric.leaves, *fabric.pods) if one.name == name for line in _convergence(one, model, lang)]
    elif kind == "host" and name in fabric.hosts:
        lines = _host(fabric.hosts[name], lang)
    elif kind == "job":
        lines = [
            joined(word(job.name, "strong"), word(some(job.hosts, 24, lang), "info"), between=" · ")
            for job in fabric.jobs
            if job.name == name
        ]
    else:
        lines = []
    sources = word(" · ".join(list(origins_of(fabric, key))[:4]), "dim")
    return tuple(Para(line, hang=2) for line in (*lines, sources) if line and any(span.text for span in line))


def _link(link: Link, measured: Measured, lang: Lang) -> list[Phrase]:
    ends = [f"{end.device} {end.port or ''}".strip() for end in (link.a, link.b)]
    first = joined(
        word(" ↔ ".join(ends), "strong"),
        word(f"{number(link.rate_gbps)} Gb/s" + (f" × {link.count}" if link.count > 1 else "")),
        word(f"{say('tui.fabric.used', lang)} {percent(link.utilisation, lang)}", tone_of(link.utilisation)),
        link_state(link, lang),
        between=" · ",
    )
    lines = [first]
    for end in (link.a, link.b):
        said = growth(measured, end.device, end.port or "", lang)
        if said:
            lines.append(joined(word(f"{end.device} {end.port}: ", "dim"), word(said)))
    return lines


def _convergence(at: Convergence, model: Mapping[str, float], lang: Lang) -> list[Phrase]:
    used = model.get(at.name)
    first = joined(
        word(at.name, "strong"),
        joined(word(say("tui.fabric.ratio", lang) + " ", "dim"), ratio_phrase(at)),
        word(say("tui.fabric.down-up", lang, down=number(at.down_gbps), up=number(at.up_gbps)), "dim"),
        word(say("tui.fabric.full-by-model", lang, share=percent(used, lang)), tone_of(used)) if used is not None else (),
        between=" · ",
    )
    members: tuple[Convergence, ...] = at.members if isinstance(at, Leaf) else at.spines if isinstance(at, Pod) else ()
    return [first, joined(*(joined(word(one.name + " ", "dim"), ratio_phrase(one)) for one in members[:16]), between="  ")]


def _host(host: Host, lang: Lang) -> list[Phrase]:
    ports = [
        joined(word(port.name, "plain"), word(f" {number(port.rate_gbps)} Gb/s {port.state or ''}".rstrip(), "dim"))
        for port in host.ports.values()
    ]
    models = some(sorted({gpu.model for gpu in host.gpus.values() if gpu.model}), 2, lang)
    return [
        joined(word(host.name, "strong"), word(models), word(host.leaf or "", "info"), between=" · "),
        joined(*ports[:12], between="  "),
    ]
