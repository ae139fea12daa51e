"""SONiC's configuration: config_db.json (tables of keys) or a flat dump (`TABLE|KEY`), in JSON.

A map or profile that nothing refers to is not in force: a WRED profile counts where a queue names it, a map where a port does. Where
the text does not hold the table of queues at all, its profiles are given, for nothing says that they are idle. Schema: SONiC,
src/sonic-yang-models/doc/Configuration.md.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.evidence.reading import Part
from advisor.readers._figures import count
from advisor.readers._json import Json, Place, parse
from advisor.readers.contract import Block, Notes, Reader, command

_RECOGNISED = re.compile(
    r'"(?:PORT_QOS_MAP|PFC_WD|BUFFER_PG|BUFFER_QUEUE|WRED_PROFILE|DSCP_TO_TC_MAP|TC_TO_QUEUE_MAP|TC_TO_PRIORITY_GROUP_MAP|CABLE_LENGTH|'
    r'DEVICE_METADATA)(?:\|[^"]*)?"\s*:\s*\{'
)
_THRESHOLDS = {"min_threshold": "min_bytes", "max_threshold": "max_bytes", "drop_probability": "drop_percent"}
_WRED = {f"{colour}_{key}": f"{colour}_{fact}" for colour in ("green", "yellow", "red") for key, fact in _THRESHOLDS.items()}
_MAPS = {
    "dscp_to_tc_map": ("DSCP_TO_TC_MAP", "dscp_to_tc"),
    "tc_to_queue_map": ("TC_TO_QUEUE_MAP", "tc_to_queue"),
    "tc_to_pg_map": ("TC_TO_PRIORITY_GROUP_MAP", "tc_to_priority_group"),
}
_METRES = re.compile(r"(\d+(?:\.\d+)?)\s*m\Z")
_FEC = {"rs": "rs", "fc": "firecode", "none": "none"}


class _Database:
    """The tables of a dump: table -> key -> fields, with the place of each entry in the text."""

    def __init__(self, found: Json) -> None:
        self.found = found
        self.tables: dict[str, dict[str, tuple[dict[str, Any], Place]]] = {}
        for name, content in found.tree.items():
            table, bar, key = name.partition("|")
            if not isinstance(content, dict):
                continue
            if bar:
                inner = content.get("value") if content.get("type") == "hash" else None  # redis-dump wraps the fields
                entry: tuple[dict[str, Any], Place] = (inner, (name, "value")) if isinstance(inner, dict) else (content, (name,))
                self.tables.setdefault(table, {})[key] = entry
            else:
                for key, fields in content.items():
                    if isinstance(fields, dict):
                        self.tables.setdefault(table, {})[key] = (fields, (name, key))

    def entries(self, table: str) -> Iterator[tuple[str, dict[str, Any], Place]]:
        for key, (fields, place) in self.tables.get(table, {}).items():
            yield key, fields, place

    def line(self, place: Place, *more: str) -> int:
        return self.found.line(*place, *more)


def read(block: Block) -> Iterator[Part]:
    found = parse(block.lines)
    if found is None or not isinstance(found.tree, dict):
        return
    database, notes = _Database(found), Notes("sonic-config", block)
    _ports(database, notes)
    _watchdog(database, notes)
    _queues(database, notes)
    _groups(database, notes)
    _cables(database, notes)
    profiles = _profiles_in_force(database)
    for name, fields, place in database.entries("WRED_PROFILE"):
        if profiles is None or name in profiles:
            _profile(database, notes, name, fields, place)
    _maps(database, notes)
    notes.count("interfaces", "interface_count")
    notes.count("ecn_profiles", "ecn_profile_count")
    for key, fields, _ in database.entries("DEVICE_METADATA"):
        if key == "localhost" and isinstance(fields.get("hostname"), str):
            notes.host = fields["hostname"]
    if notes.facts:
        notes.use_range(block.lines.numbers[0], found.last)
        if found.broken is not None:
            notes.problem(found.broken, "cut")
        yield notes.part()


def _reference(value: Any) -> str | None:
    """The name that a field refers to: `AZURE`, `[WRED_PROFILE|AZURE]`; `NULL` is none."""
    if not isinstance(value, str):
        return None
    name = value.strip().strip("[]").rpartition("|")[2]
    return None if name in ("", "NULL") else name


def _numbers(text: str) -> list[int]:
    """`3,4` or `3-4` as numbers; nothing for anything else."""
    found: list[int] = []
    for word in text.split(","):
        first, _, last = word.strip().partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()) or int(last or first) - int(first) > 100:
            return []
        found += range(int(first), int(last or first) + 1)
    return found


def _spread(key: str) -> list[tuple[str, int]]:
    """Ports and indexes of a key: `Ethernet0,Ethernet4|3-4`."""
    ports, _, indexes = key.rpartition("|")
    return [(port.rpartition("|")[2], index) for port in ports.split(",") if port for index in _numbers(indexes)]


def _ports(database: _Database, notes: Notes) -> None:
    for name, fields, place in database.entries("PORT"):
        speed, mtu = count(str(fields.get("speed", ""))), count(str(fields.get("mtu", "")))
        admin = str(fields.get("admin_status", "")).lower()
        notes.thing(database.line(place), "interfaces", name)
        for key, value in (
            ("speed", ("rate_gbps", speed // 1000 if speed and speed % 1000 == 0 else speed / 1000 if speed else None)),
            ("mtu", ("mtu_bytes", mtu)),
            ("admin_status", ("admin_state", admin if admin in ("up", "down") else None)),
            ("fec", ("fec", _FEC.get(str(fields.get("fec", "")).lower()))),
        ):
            if key in fields:
                notes.put(database.line(place, key), value[1], "interfaces", name, value[0])
    for key, fields, place in database.entries("PORT_QOS_MAP"):
        if key == "global":
            continue
        for name in key.split(","):
            notes.thing(database.line(place), "interfaces", name)
            listed = fields.get("pfc_enable")
            if isinstance(listed, str):
                notes.put(
                    database.line(place, "pfc_enable"), _numbers(listed) if listed.strip() else [], "interfaces", name, "pfc_priorities"
                )
            elif database.found.broken is None:
                notes.put(database.line(place), [], "interfaces", name, "pfc_priorities")


def _watchdog(database: _Database, notes: Notes) -> None:
    for key, fields, place in database.entries("PFC_WD"):
        for name in key.split(",") if key != "GLOBAL" else ():
            notes.thing(database.line(place), "interfaces", name)
            if isinstance(fields.get("action"), str):
                notes.put(database.line(place, "action"), fields["action"], "interfaces", name, "pfcwd_action")


def _queues(database: _Database, notes: Notes) -> None:
    for table, field, fact in (("QUEUE", "wred_profile", "ecn_profile"), ("BUFFER_QUEUE", "profile", "buffer_profile")):
        for key, fields, place in database.entries(table):
            for name, index in _spread(key):
                notes.thing(database.line(place), "interfaces", name)
                notes.put(database.line(place, field), _reference(fields.get(field)), "interfaces", name, "queues", str(index), fact)


def _groups(database: _Database, notes: Notes) -> None:
    for key, fields, place in database.entries("BUFFER_PG"):
        for name, index in _spread(key):
            notes.thing(database.line(place), "interfaces", name)
            value = _reference(fields.get("profile"))
            notes.put(database.line(place, "profile"), value, "interfaces", name, "priority_groups", str(index), "buffer_profile")


def _cables(database: _Database, notes: Notes) -> None:
    for _, fields, place in database.entries("CABLE_LENGTH"):
        for name, text in fields.items():
            match = _METRES.match(str(text).strip())
            notes.thing(database.line(place, name), "interfaces", name)
            if match:
                metres = float(match[1])
                notes.put(
                    database.line(place, name), int(metres) if metres == int(metres) else metres, "interfaces", name, "cable_length_m"
                )


def _profiles_in_force(database: _Database) -> set[str] | None:
    """WRED profiles that queues name; None where the text holds no table of queues."""
    if "QUEUE" not in database.tables:
        return None
    return {name for _, fields, _ in database.entries("QUEUE") if (name := _reference(fields.get("wred_profile")))}


def _profile(database: _Database, notes: Notes, name: str, fields: dict[str, Any], place: Place) -> None:
    notes.thing(database.line(place), "ecn_profiles", name)
    for key, value in fields.items():
        if key == "ecn" and isinstance(value, str):
            notes.put(database.line(place, key), value, "ecn_profiles", name, "ecn")
        elif key in _WRED:
            notes.put(database.line(place, key), count(str(value)), "ecn_profiles", name, _WRED[key])


def _maps(database: _Database, notes: Notes) -> None:
    """Maps that a port names: the only one by itself, several under their names."""
    for field, (table, fact) in _MAPS.items():
        used = [name for _, fields, _ in database.entries("PORT_QOS_MAP") if (name := _reference(fields.get(field)))]
        named = [entry for entry in database.entries(table) if entry[0] in used]
        for name, fields, place in named:
            path = (fact,) if len(named) == 1 else (fact, name)
            for key, value in fields.items():
                number = count(str(value))
                notes.put(database.line(place, key), number if number is not None else str(value), *path, key)


def _recognises(head: str) -> bool:
    return head.lstrip().startswith("{") and _RECOGNISED.search(head) is not None


_CAT = command("cat", options=r"config_db\S*\.json")
_SHOW = command("show", options="runningconfiguration")
_DUMP = command("sonic-db-dump", "sonic-cfggen")
READER = Reader(
    "sonic-config",
    read,
    commands=re.compile("|".join(f"(?:{pattern.pattern})" for pattern in (_CAT, _SHOW, _DUMP))),
    recognises=_recognises,
)
