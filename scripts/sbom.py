"""`python -m scripts.sbom [FILE]`: the bill of materials as CycloneDX 1.6 JSON (https://cyclonedx.org/docs/1.6/json/). The same for the
same lock: no time, no random number."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from scripts.packages import Package, direct, project, runtime

_SPDX = {  # classifiers of older metadata, as SPDX names them
    "MIT License": "MIT",
    "MIT": "MIT",
    "Apache Software License": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "BSD": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0",
    "PSFL": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}


def sbom() -> dict[str, Any]:
    ours = project()
    packages = runtime()
    root = f"pkg:pypi/{ours['name']}@{ours['version']}"
    refs: dict[str, list[str]] = {}
    for one in packages:
        refs.setdefault(one.name, []).append(_ref(one))
    serial = uuid5(NAMESPACE_URL, json.dumps([root, sorted(map(_ref, packages)), [one.hashes for one in packages]]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": ours["name"],
                "version": ours["version"],
                "purl": root,
                "licenses": [{"license": {"id": ours["license"]}}],
            }
        },
        "components": [_component(one) for one in packages],
        "dependencies": [
            {"ref": root, "dependsOn": _refs(refs, direct())},
            *({"ref": _ref(one), "dependsOn": _refs(refs, one.needs)} for one in packages),
        ],
    }


def _refs(known: dict[str, list[str]], names: Iterable[str]) -> list[str]:
    return sorted(ref for name in names for ref in known[name])


def _ref(one: Package) -> str:
    return f"pkg:pypi/{one.name}@{one.version}"


def _component(one: Package) -> dict[str, Any]:
    made: dict[str, Any] = {
        "type": "library",
        "bom-ref": _ref(one),
        "name": one.name,
        "version": one.version,
        "purl": _ref(one),
        "licenses": [_licence(one.licence)],
        # Hashes of all files that the lock allows, one of which is installed: as properties, since a component has one file's hash.
        "properties": [{"name": "advisor:lock:sha256", "value": value} for value in one.hashes]
        + ([{"name": "advisor:lock:when", "value": one.when}] if one.when else []),
    }
    if one.home:
        made["externalReferences"] = [{"type": "website", "url": one.home}]
    return made


def _licence(said: str) -> dict[str, Any]:
    if said in _SPDX:
        return {"license": {"id": _SPDX[said]}}
    if " AND " in said or " OR " in said or " WITH " in said:
        return {"expression": said}
    return {"license": {"id": said}} if said in _SPDX.values() or said in ("BSD-2-Clause", "0BSD", "ISC") else {"license": {"name": said}}


if __name__ == "__main__":
    text = json.dumps(sbom(), ensure_ascii=False, indent=1) + "\n"
    Path(sys.argv[1]).write_text(text, encoding="utf-8") if len(sys.argv) > 1 else sys.stdout.write(text)
