"""What a person stated of the whole site: kinds of hosts, storage, and the words for its technology and routing."""

from advisor.evidence.bundle import Bundle, origin
from advisor.fabric.facts import entries, number, text, tree, whole
from advisor.fabric.model import HostKind, Storage

_NO_FIGURES = ("plane", "queue", "read_during_steps", "origin")


def host_kinds(bundle: Bundle) -> tuple[HostKind, ...]:
    found = []
    for capture, part in bundle.parts("site"):
        for i, entry in enumerate(entries(part.facts.get("hosts"))):
            found.append(
                HostKind(
                    name=text(entry.get("class")),
                    count=whole(entry.get("count")),
                    gpus_per_host=whole(entry.get("gpus_per_host")),
                    gpu=text(entry.get("gpu")),
                    nics_per_host=whole(entry.get("nics_per_host")),
                    nic_ports=whole(entry.get("nic_ports")),
                    nic_rate_gbps=number(entry.get("nic_rate_gbps")),
                    nic_rate_max_gbps=number(entry.get("nic_rate_max_gbps")),
                    host_rate_gbps=number(entry.get("host_rate_gbps")),
                    origin=origin(capture, part, ("hosts", str(i))),
                )
            )
    return tuple(found)


def storage(bundle: Bundle) -> Storage | None:
    """The first statement of storage; None where nobody stated any."""
    for capture, part in bundle.parts("site"):
        entry = tree(part.facts.get("storage"))
        if entry:
            figures = {name: number(entry.get(name)) for name in Storage.model_fields if name not in _NO_FIGURES}
            words: dict[str, object] = {name: text(entry.get(name)) for name in ("plane", "queue")}
            reads = entry.get("read_during_steps")
            words |= {"read_during_steps": reads if isinstance(reads, bool) else None}
            return Storage.model_validate({**figures, **words, "origin": origin(capture, part, ("storage",))})
    return None


def word(bundle: Bundle, section: str, key: str) -> str | None:
    """The first stated word at a place of the form."""
    return next((found for known in bundle.find(f"{section}.{key}", "site") if (found := text(known.value))), None)


def figure(bundle: Bundle, section: str, key: str) -> float | None:
    """The first stated number at a place of the form."""
    return next((found for known in bundle.find(f"{section}.{key}", "site") if (found := number(known.value)) is not None), None)
