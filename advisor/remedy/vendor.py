"""What to type on a vendor's switches (knowledge/vendors/<id>.yaml), by act: show-qos, pfc-on, ecn-on, ..."""

from collections.abc import Iterable, Mapping
from functools import cache

from advisor.base.content import folder
from advisor.base.model import Model
from advisor.base.places import knowledge
from advisor.base.text import Text
from advisor.evidence.bundle import Bundle
from advisor.remedy.words import filled

ACTS = ("show-qos", "show-pause", "show-hash", "pfc-on", "pfc-off", "ecn-on", "watchdog-on")


class Command(Model):
    """One line or more, split by `;`. `{priority}` is the lossless priority; what stands in <> is the reader's to fill."""

    run: str
    source: str


class Vendor(Model):
    id: str
    name: str
    tools: tuple[str, ...]  # ids of captures that show that such a switch is there
    commands: Mapping[str, Command]


@cache
def shipped_vendors() -> Mapping[str, Vendor]:
    """The vendors of knowledge/vendors. Raises ContentError."""
    return folder(Vendor, knowledge() / "vendors")


def vendors_here(bundle: Bundle, vendors: Mapping[str, Vendor]) -> tuple[Vendor, ...]:
    """The vendors whose switches the captures show, by id."""
    return tuple(vendor for vendor in vendors.values() if set(vendor.tools) & set(bundle.tools))


def with_commands(step: Text, act: str, vendors: Iterable[Vendor], priority: str | None) -> Text:
    """The step with what does it on each vendor's switches, where that is known."""
    for vendor in vendors:
        command = vendor.commands.get(act)
        if command is not None:
            run = filled(Text(en=command.run, zh=command.run), priority=priority or "<priority>").en
            step = Text(en=f"{step.en} {vendor.name}: `{run}`.", zh=f"{step.zh}{vendor.name}：`{run}`。")
    return step
