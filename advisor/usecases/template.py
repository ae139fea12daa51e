"""Forms to fill in, printed in the person's language."""

import textwrap

from advisor.base import places
from advisor.base.text import Lang, say
from advisor.evidence.form import Key, Section, form


def report_schema() -> str:
    """The JSON schema of `advisor report --to FILE.json`."""
    return (places.knowledge() / "report.schema.json").read_text(encoding="utf-8")


def site_form(lang: Lang) -> str:
    """The statements form, empty, with what each key asks for. Saved as site.yaml beside the captures it is read with them."""
    head = [f"# {line}" for line in say("form.head", lang).split("\n")]
    return (
        "\n".join([*head, "form: 1", *(line for name, section in form().sections.items() for line in _section(name, section, lang))]) + "\n"
    )


def _section(name: str, section: Section, lang: Lang) -> list[str]:
    indent = "    " if section.list else "  "
    lines = ["", f"{name}:".ljust(38) + f" # {section.about.say(lang)}"]
    for i, (word, key) in enumerate(section.keys.items()):
        mark = "  - " if section.list and i == 0 else indent
        lines.append(f"{mark}{word}:".ljust(38) + f" # {_asks(key, lang)}")
    return lines


def _asks(key: Key, lang: Lang) -> str:
    text = key.zh if lang == "zh" else key.en
    words = " | ".join(key.one_of) if key.one_of else "yes | no" if key.type == "sign" else ""
    return textwrap.shorten(f"{text}: {words}" if words else text, 400)
