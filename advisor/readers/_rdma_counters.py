"""Counters of an RDMA port in sysfs, under the names that this program uses for all drivers (docs/vocabulary.md)."""

# Raw counter -> common key. The two data counters count words of four bytes.
COMMON: dict[str, str] = {
    "port_rcv_packets": "rx_packets",
    "port_xmit_packets": "tx_packets",
    "port_rcv_data": "rx_bytes",
    "port_xmit_data": "tx_bytes",
    "port_xmit_discards": "tx_discards",
    "port_rcv_errors": "rx_errors",
    "port_xmit_wait": "xmit_wait",
    "symbol_error": "symbol_errors",
    "link_downed": "link_downed",
    "link_error_recovery": "link_error_recovery",
    "out_of_buffer": "rx_no_buffer",
    "out_of_sequence": "out_of_sequence",
    "packet_seq_err": "packet_seq_errors",
    "rnr_nak_retry_err": "rnr_nak_retries",
    "local_ack_timeout_err": "ack_timeouts",
    "np_ecn_marked_roce_packets": "ecn_marked",
    "np_cnp_sent": "cnp_sent",
    "rp_cnp_handled": "cnp_handled",
    "rp_cnp_ignored": "cnp_ignored",
}
_WORD_BYTES = 4


def common(raw: str, value: int) -> tuple[str, int] | None:
    """The common key of a raw counter and its value there; None where it has none."""
    key = COMMON.get(raw)
    if key is None:
        return None
    return key, value * _WORD_BYTES if key in ("rx_bytes", "tx_bytes") else value
