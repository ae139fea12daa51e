"""`site.yaml`: what a person saw, was told, or read off a screen. The form is docs/site-form.md; every fact of it is stated.

Every part is optional; absent, empty and `unknown` are the same. An unknown key is a problem with its line, never a refusal.
Signs are true or false. The tree of facts has the form's own keys; lists stay lists of maps.
"""

import re
from collections.abc import Iterator
from typing import Any

from advisor.base.content import Place, line_of, parse
from advisor.base.errors import ContentError
from advisor.evidence.reading import Part
from advisor.readers.contract import Block, Notes, Reader
from advisor.readers.shapes import number

_ANY = "note bound trust"
# Section -> its keys. `signs` are yes or no, `text` stays text; other values become numbers where they are some.
_KEYS: dict[str, str] = {
    "site": "name date scheduler fabric use environment",
    "hosts": "class count cpu gpus_per_host gpu gpu_form gpu_link gpu_links_active gpu_links_total nics_per_host nic nic_ports nic_rate_gbps nic_rate_max_gbps "
    "host_rate_gbps pcie_gen pcie_width bonded virtualised",
    "fabric": "topology tiers leaf_count spine_count hosts_per_leaf uplinks_per_leaf uplink_rate_gbps ratio routing routing_engine hash_fields rails planes mtu_bytes",
    "jobs": "name kind framework hosts ranks leaves leaves_needed placement parallelism step_bytes communication_percent settings",
    "runs": "label what file between hosts leaves ranks placement load memory network algorithm size_bytes queue_pairs ports streams busbw_gBps algbw_gBps rate_gbps rate_gBps "
    "time_s step_s samples_per_s tokens_per_s tflops mfu_percent p99_over_p50 relative compared_with of_expected outcome error software settings plan",
    "expected": "what basis busbw_gBps algbw_gBps rate_gbps rate_gBps time_s step_s samples_per_s tokens_per_s tflops mfu_percent p99_over_p50",
    "counters": "at name port priority value value_per_s growing during",
    "links": "tier count rate_gbps rate_max_gbps load used_percent mean_percent max_percent p95_percent period_s during",
    "flow_control": "side traffic trust dscp priority pfc_priorities ecn ecn_priorities cnp_priority congestion_control pfc_watchdog limits",
    "storage": "kind plane queue read_gBps write_gBps checkpoint_every_s checkpoint_s checkpoint_bytes inside_over_outside windows read_during_steps",
    "changes": "what kind from to only_change run_before run_after effect date",
    "observations": "acs_redirect_on iommu_translating gdr_module_loaded gdr_used relaxed_ordering_on pcie_below_common_max slot_narrower_than_card ports_share_card "
    "nvlinks_as_on_twins host_memory_slower_than_gpu_memory gpus_share_nic nic_share_equal cpu_clock_low hosts_identical settings_equal_on_hosts graph_equal_on_hosts "
    "topology_file_in_use rdma_devices_present rdma_used perftest_at_line_rate one_queue_pair_enough less_traffic_helps ranks_arrive_late synthetic_data_helps one_host_slow "
    "depends_on_node_pair slow_only_across_leaves scales_down_with_hosts varies_between_runs scatter_grows_with_hosts depends_on_load slow_at_all_hours other_tenants_active "
    "uplinks_even uplinks_full uplink_failed adaptive_routing_on port_errors_growing mtu_equal leaf_shared_by_jobs placement_scattered pause_first_seen_at pause_growing "
    "drops_growing ecn_marks_growing roce_on_lossy_priority dips_in_checkpoint_windows slow_while_data_is_read slow_while_storage_busy",
}
_LISTS = {"hosts", "jobs", "runs", "expected", "counters", "links", "flow_control", "changes"}
_SIGNS = {"bonded", "virtualised", "growing", "ecn", "pfc_watchdog", "limits", "read_during_steps", "only_change"}
_TEXT = {
    "name",
    "date",
    "class",
    "cpu",
    "gpu",
    "nic",
    "label",
    "file",
    "note",
    "error",
    "what",
    "from",
    "to",
    "traffic",
    "port",
    "software",
    "settings",
    "framework",
}
_FREE = {"settings", "software", "parallelism", "plan", "windows"}
_UNKNOWN = {"", "unknown", "null", "~", "n/a"}
_YES, _NO = {"yes", "true", "on"}, {"no", "false", "off"}
_TOP = re.compile(rf"(?:form|{'|'.join(_KEYS)})\s*:", re.MULTILINE)


def read(block: Block) -> Iterator[Part]:
    notes = Notes("site", block)
    lines = list(block.lines.inked())
    # Blank lines in front keep the numbers of the text and those of the file the same.
    text = "\n" * (block.lines.numbers[0] - 1) + block.lines.text
    try:
        tree, at = parse(text, "site.yaml")
    except ContentError as error:
        notes.problem(
            min(max(int(str(error.values["line"])), lines[0][0]), lines[-1][0]), "damaged", str(error.values["why"])
        )
        notes.use_range(lines[0][0], lines[-1][0])
        yield notes.part()
        return
    notes.use_range(lines[0][0], lines[-1][0])
    for section, content in (tree if isinstance(tree, dict) else {}).items():
        if section in ("form", *_ANY.split()):
            continue
        if section not in _KEYS:
            notes.problem(line_of((section,), at), "unknown-key", section)
        elif section in _LISTS:
            entries = content if isinstance(content, list) else [content] if isinstance(content, dict) else []
            found = []
            for i, entry in enumerate(entries):
                place: Place = (section, i) if isinstance(content, list) else (section,)
                values = _entry(notes, section, entry, place, at) if isinstance(entry, dict) else {}
                if values:
                    _lines(notes, values, (section, str(len(found))), place, at)
                    found.append(values)
            if found:
                notes.facts[section] = found
                notes.at[(section,)] = line_of((section,), at)
        elif isinstance(content, dict):
            values = _entry(notes, section, content, (section,), at)
            if values:
                notes.facts[section] = values
                _lines(notes, values, (section,), (section,), at)
    yield notes.part()


def _lines(notes: Notes, values: dict[str, Any], path: tuple[str, ...], place: Place, at: dict[Place, int]) -> None:
    notes.at[path] = line_of(place, at)
    for key in values:
        notes.at[(*path, key)] = line_of((*place, key), at)


def _entry(notes: Notes, section: str, entry: dict[str, Any], place: Place, at: dict[Place, int]) -> dict[str, Any]:
    allowed = {*_KEYS[section].split(), *_ANY.split()}
    values: dict[str, Any] = {}
    for key, raw in entry.items():
        line = line_of((*place, key), at)
        if key not in allowed:
            notes.problem(line, "unknown-key", f"{section}.{key}")
            continue
        value = _value(section, key, raw)
        if value is not None:
            values[key] = value
        elif isinstance(raw, str) and raw.strip().lower() not in _UNKNOWN:
            notes.problem(line, "not-a-number" if not _is_sign(section, key) else "doubtful", raw)
    return values


def _is_sign(section: str, key: str) -> bool:
    return key in _SIGNS or (section == "observations" and key not in ("note", "pause_first_seen_at"))


def _value(section: str, key: str, raw: Any) -> Any:
    if isinstance(raw, list):
        known = [value for item in raw if (value := _value(section, key, item)) is not None]
        return known if known or not raw else None  # an empty list is a known nothing
    if isinstance(raw, dict):
        return {k: value for k, item in raw.items() if (value := _scalar(item)) is not None} or None
    if raw is None or str(raw).strip().lower() in _UNKNOWN:
        return None
    word = str(raw).strip()
    if _is_sign(section, key):
        return True if word.lower() in _YES else False if word.lower() in _NO else None
    if key in _TEXT:
        return word
    parsed = number(word)
    needs_number = re.search(r"_(?:gbps|gBps|bytes|us|s|m|percent|per_s)\Z", key) is not None
    return parsed if parsed is not None else None if needs_number else word


def _scalar(raw: Any) -> Any:
    if isinstance(raw, list):
        return [_scalar(item) for item in raw]
    if raw is None or str(raw).strip().lower() in _UNKNOWN:
        return None
    return number(str(raw)) if number(str(raw)) is not None else str(raw)


def _recognises(head: str) -> bool:
    """A form of ours: `form: 1`, or two of its sections at the left margin and nothing else there."""
    if re.search(r"^form\s*:\s*1\s*$", head, re.MULTILINE):
        return True
    sections = {match.group().split(":")[0].strip() for match in _TOP.finditer(head)}
    margin = re.findall(r"^([A-Za-z_][\w-]*)\s*:", head, re.MULTILINE)
    return len(sections) >= 2 and all(word in _KEYS for word in margin)


READER = Reader("site", read, starts=re.compile(r"form\s*:\s*1\s*$"), recognises=_recognises)
