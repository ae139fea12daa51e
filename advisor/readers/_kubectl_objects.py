"""Objects of Kubernetes as JSON or YAML: pods, nodes and events, alone or in a list (`-o json`, `cluster-info dump`, must-gather).

Items of a typed list (PodList) say no kind of their own.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from advisor.readers.contract import Notes

KINDS = ("Pod", "Node", "Event")
_AVAILABLE = re.compile(r"(\d+)/(\d+) nodes are (?:un)?available:?\s*(.*)", re.DOTALL)
_SHORT = re.compile(r"\bInsufficient ([\w./-]*[\w])")
_KIND = re.compile(rf'^[ \t]*+"?kind"?[ \t]*:\s*"?(?:{"|".join(KINDS)})(?:List)?"?\s*,?\s*$', re.MULTILINE)
_COMPACT = re.compile(
    rf'\s*\{{\s*"(?:kind":\s*"|apiVersion":\s*"[\w./]+",\s*"(?:kind":\s*"|items":\s*\[\s*\{{"apiVersion":\s*"v1",\s*"kind":\s*"))(?:{"|".join(KINDS)})'
)
Line = Callable[..., int]


def are_objects(head: str) -> bool:
    """Whether the head of a text is one of these objects, or a list of them."""
    return "metadata" in head and (_KIND.search(head) is not None or _COMPACT.match(head) is not None)


def scheduling(message: str) -> tuple[dict[str, Any], str]:
    """What a scheduler's message says of hosts, and the word for what is short that ends the message, if one does."""
    available = _AVAILABLE.search(message)
    if not available:
        return {}, ""
    short = list(dict.fromkeys(_SHORT.findall(available[3])))
    facts = {"available_host_count": int(available[1]), "host_count": int(available[2]), "insufficient": short}
    return facts, short[-1] if short and message.endswith(short[-1]) else ""


def put_objects(notes: Notes, tree: Any, line: Line) -> None:
    """Facts of every object that is one of these kinds. `line` gives the line of a place in the tree."""
    for place, kind, item in _objects(tree):
        meta = item.get("metadata")
        if not isinstance(meta, dict) or not meta.get("name"):
            continue

        def at(*steps: str | int, place: tuple[str | int, ...] = place) -> int:
            return line(*place, *steps)

        _PUT[kind](notes, item, meta, at)


def _objects(tree: Any) -> Iterator[tuple[tuple[str | int, ...], str, Mapping[str, Any]]]:
    if not isinstance(tree, dict):
        return
    items = tree.get("items")
    if not isinstance(items, list):
        if tree.get("kind") in KINDS:
            yield (), tree["kind"], tree
        return
    of_list = str(tree.get("kind") or "").removesuffix("List")
    for i, item in enumerate(items):
        kind = item.get("kind") or of_list if isinstance(item, dict) else None
        if kind in KINDS:
            yield ("items", i), kind, item


def _name(meta: Mapping[str, Any]) -> str:
    return f"{meta['namespace']}/{meta['name']}" if meta.get("namespace") else str(meta["name"])


def _pod(notes: Notes, item: Mapping[str, Any], meta: Mapping[str, Any], at: Line) -> None:
    name = _name(meta)
    notes.thing(at("metadata", "name"), "pods", name)
    labels = meta.get("labels")
    for label, value in labels.items() if isinstance(labels, dict) else ():
        notes.put(at("metadata", "labels", label), str(value), "pods", name, "labels", str(label))
    spec, status = item.get("spec"), item.get("status")
    if isinstance(spec, dict) and spec.get("nodeName"):
        notes.put(at("spec", "nodeName"), str(spec["nodeName"]), "pods", name, "host")
    if isinstance(spec, dict) and (gpus := _gpus(spec)):
        notes.put(at("spec"), gpus, "pods", name, "gpu_count")
    if isinstance(status, dict) and status.get("phase"):
        notes.put(at("status", "phase"), str(status["phase"]).lower(), "pods", name, "status")


def _gpus(spec: Mapping[str, Any]) -> int:
    """GPUs that the containers of a pod ask for: whole devices, by extended resources that end in gpu."""
    found = 0
    containers = spec.get("containers")
    for container in containers if isinstance(containers, list) else ():
        resources = container.get("resources") if isinstance(container, dict) else None
        asked = resources.get("limits") or resources.get("requests") if isinstance(resources, dict) else None
        for resource, amount in asked.items() if isinstance(asked, dict) else ():
            if str(resource).endswith("/gpu") and str(amount).isdecimal():
                found += int(amount)
    return found


def _node(notes: Notes, item: Mapping[str, Any], meta: Mapping[str, Any], at: Line) -> None:
    name = str(meta["name"])
    notes.thing(at("metadata", "name"), "hosts", name)
    labels = meta.get("labels")
    for label, value in labels.items() if isinstance(labels, dict) else ():
        notes.put(at("metadata", "labels", label), str(value), "hosts", name, "labels", str(label))
    spec, status = item.get("spec"), item.get("status")
    if isinstance(spec, dict) and spec.get("unschedulable") is not None:
        notes.put(at("spec", "unschedulable"), str(spec["unschedulable"]).lower() == "true", "hosts", name, "unschedulable")
    if not isinstance(status, dict):
        return
    conditions = status.get("conditions")
    for i, condition in enumerate(conditions if isinstance(conditions, list) else ()):
        if isinstance(condition, dict) and condition.get("type") == "Ready":
            ready = {"true": True, "false": False}.get(str(condition.get("status")).lower())
            notes.put(at("status", "conditions", i), ready, "hosts", name, "ready")
    for what in ("capacity", "allocatable"):
        amounts = status.get(what)
        for resource, amount in amounts.items() if isinstance(amounts, dict) else ():
            if "/" in str(resource) and str(amount).isdecimal():
                notes.put(at("status", what, resource), int(amount), "hosts", name, "resources", str(resource), what)


def _event(notes: Notes, item: Mapping[str, Any], meta: Mapping[str, Any], at: Line) -> None:
    if not item.get("reason"):
        return
    event: dict[str, Any] = {"type": str(item.get("type") or "").lower() or None, "reason": str(item["reason"])}
    about = item.get("involvedObject") or item.get("regarding")
    if isinstance(about, dict) and about.get("name"):
        event["object"] = f"{str(about.get('kind') or '').lower()}/{about['name']}".lstrip("/")
    event |= scheduling(str(item.get("message") or item.get("note") or ""))[0]
    events = notes.get("events") or []
    events.append({key: value for key, value in event.items() if value is not None})
    n = at("reason")
    notes.put(n, events, "events")
    notes.at[("events", str(len(events) - 1))] = n
    notes.put(n, len(events), "event_count")


_PUT: Mapping[str, Callable[[Notes, Mapping[str, Any], Mapping[str, Any], Line], None]] = {"Pod": _pod, "Node": _node, "Event": _event}
