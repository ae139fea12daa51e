"""`python -m scripts.licences`: writes docs/licences.md from the metadata of what is pinned."""

import sys

from scripts.packages import ROOT, Package, direct, project, runtime

PAGE = ROOT / "docs" / "licences.md"
# Families that let the program be handed on with them; anything else must be looked at by a person.
KNOWN = (
    "MIT",
    "BSD",
    "Apache",
    "ISC",
    "PSF",
    "Python Software Foundation",
    "Mozilla Public License 2.0",
    "MPL-2.0",
    "Zlib",
    "Public Domain",
)


def page() -> str:
    asked = set(direct())
    lines = [
        "# Licences of what the program runs with",
        "",
        "Written by `make licences` from the packages' own metadata; versions are those of `requirements.lock`. Each wheel carries",
        f"the text of its licence, and of the libraries that are compiled into it. The program itself: {project()['license']} (LICENSE).",
        "",
        "| package | version | licence | asked for by | home |",
        "| --- | --- | --- | --- | --- |",
    ]
    packages = runtime()
    for one in packages:
        by = "us" if one.name in asked else ", ".join(sorted({other.name for other in packages if one.name in other.needs}))
        lines.append(f"| {one.name} | {one.version}{_on(one)} | {one.licence} | {by} | {one.home} |")
    return "\n".join(lines) + "\n"


def _on(one: Package) -> str:
    return f" (`{one.when}`)" if one.when else ""


def unknown() -> list[str]:
    """Packages whose licence is of no known family."""
    return [f"{one.name}: {one.licence}" for one in runtime() if not any(word.lower() in one.licence.lower() for word in KNOWN)]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print("\n".join(unknown()))
    sys.exit(1 if unknown() else 0)
