"""Counters of network cards under the names that this program uses for all drivers (docs/vocabulary.md)."""

from collections.abc import Iterable, Iterator, Mapping

Path = tuple[str, ...]
_SIDES = ("rx", "tx")

# Raw counter -> common key. `{s}` is rx or tx. Where a driver counts both in software and on the wire, only the wire is taken.
_OF_PORT: dict[str, str] = {
    # mlx5
    "{s}_packets_phy": "{s}_packets",
    "{s}_bytes_phy": "{s}_bytes",
    "{s}_discards_phy": "{s}_discards",
    "{s}_out_of_buffer": "{s}_no_buffer",
    "{s}_global_pause": "{s}_pause",
    "{s}_global_pause_duration": "{s}_pause_us",
    "rx_crc_errors_phy": "crc_errors",
    "rx_symbol_err_phy": "symbol_errors",
    "rx_pcs_symbol_err_phy": "fec_uncorrected",  # what forward error correction could not mend
    "link_down_events_phy": "link_downed",
    "np_ecn_marked_roce_packets": "ecn_marked",
    "np_cnp_sent": "cnp_sent",
    "rp_cnp_handled": "cnp_handled",
    "rp_cnp_ignored": "cnp_ignored",
    # ionic
    "frames_{s}_ok": "{s}_packets",
    "octets_{s}_ok": "{s}_bytes",
    "frames_rx_bad_fcs": "crc_errors",
    "hw_{s}_dropped": "{s}_discards",
    "frames_{s}_pause": "{s}_pause",
    "frames_{s}_pripause": "{s}_pfc",
    "{s}_pause_1us_count": "{s}_pause_us",
    # bnxt_en
    "{s}_total_discard_pkts": "{s}_discards",
    "rx_fcs_err_frames": "crc_errors",
    "{s}_pfc_frames": "{s}_pfc",
    # be2net; its transmit side is spelled in one word
    "{s}_pause_frames": "{s}_pause",
    "tx_pauseframes": "tx_pause",
    "rx_priority_pause_frames": "rx_pfc",
    "tx_priority_pauseframes": "tx_pfc",
    # ice, i40e: frames that switch a sender off
    "rx_crc_errors.nic": "crc_errors",
    "port.rx_crc_errors": "crc_errors",
    "{s}_bytes.nic": "{s}_bytes",
    "link_xoff_{s}.nic": "{s}_pause",
    "port.{s}_bytes": "{s}_bytes",
    "port.link_xoff_{s}": "{s}_pause",
    # hns3
    "mac_{s}_mac_pause_num": "{s}_pause",
    "mac_{s}_pfc_pkt_num": "{s}_pfc",
}
# `{n}` is the priority.
_OF_PRIORITY: dict[str, str] = {
    "{s}_prio{n}_pause": "{s}_pause",
    "{s}_prio{n}_pause_duration": "{s}_pause_us",
    "{s}_prio{n}_packets": "{s}_packets",
    "{s}_prio{n}_bytes": "{s}_bytes",
    "{s}_prio{n}_discards": "{s}_discards",
    "{s}_prio{n}_buf_discard": "{s}_buffer_discards",
    "{s}_priority_{n}_xoff.nic": "{s}_pause",
    "port.{s}_priority_{n}_xoff": "{s}_pause",
    "{s}_pfc_ena_frames_pri{n}": "{s}_pause",
    "{s}_packets_pri{n}": "{s}_packets",
    "{s}_bytes_pri{n}": "{s}_bytes",
    "{s}_pripause_{n}_1us_count": "{s}_pause_us",
    "frames_{s}_pri_{n}": "{s}_packets",
    "{s}_pause_prio_{n}": "{s}_pause",
    "{s}_prio_{n}_packets": "{s}_packets",
    "{s}_prio_{n}_bytes": "{s}_bytes",
    "mac_{s}_pfc_pri{n}_pkt_num": "{s}_pause",
}


def _table() -> dict[str, Path]:
    table: dict[str, Path] = {}
    for raw, key in _OF_PORT.items():
        for side in _SIDES:
            table[raw.format(s=side)] = (key.format(s=side),)
    for raw, key in _OF_PRIORITY.items():
        for side in _SIDES:
            for n in range(8):
                table[raw.format(s=side, n=n)] = ("priorities", str(n), key.format(s=side))
    return table


COMMON: Mapping[str, Path] = _table()
_RING = ("rx_bytes", "tx_bytes", "rx_discards")


def common(names: Iterable[str]) -> list[tuple[str, Path]]:
    """Raw counters that have a common name, with its path, in the order of their lines."""
    known = COMMON.keys()
    return [(name, COMMON[name]) for name in names if name in known]


def ring_totals(counters: Mapping[str, int | float]) -> Iterator[tuple[str, int | float, list[str]]]:
    """Common keys that bnx2x counts per ring only, `[0]: rx_bytes`: key, sum, and the counters that were added.

    A counter of the whole port under the same meaning goes before a sum.
    """
    rings: dict[str, list[str]] = {}
    for name in counters:
        if name[:1] == "[":
            rings.setdefault(name.rpartition(": ")[2], []).append(name)
    for key in _RING:
        mine = rings.get(key)
        if mine and (key != "rx_discards" or "rx_total_discard_pkts" not in counters):
            total = counters.get(key)
            yield key, sum(counters[name] for name in mine) if total is None else total, mine
