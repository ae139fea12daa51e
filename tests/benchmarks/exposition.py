"""The text of exporters against the parser of Prometheus's own client."""

from prometheus_client.parser import text_string_to_metric_families

from advisor.capture.lines import clean
from advisor.readers import prometheus
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from tests.benchmarks import inputs
from tests.benchmarks.rounds import Row, agree, ratios, rounds

MEGABYTES = 4.0
ROUNDS = 5
# Metric -> the map of things, the label that names them, the fact.
_FACTS = {
    "ifHCInOctets": ("interfaces", "ifName", "rx_bytes"),
    "ifOutDiscards": ("interfaces", "ifName", "tx_discards"),
    "node_network_transmit_packets_total": ("interfaces", "device", "tx_packets"),
    "node_infiniband_port_data_received_bytes_total": ("ports", "device", "rx_bytes"),
    "node_infiniband_port_transmit_wait_total": ("ports", "device", "xmit_wait"),
}


def compare() -> list[Row]:
    text = inputs.exposition(MEGABYTES)
    capture = text.encode()
    samples = _agreed(text, capture)
    seconds = rounds(
        {
            "reading": lambda: read(capture),
            "block": lambda: list(prometheus.read(Block(clean(capture)))),
            "client": lambda: list(text_string_to_metric_families(text)),
        },
        ROUNDS,
    )
    name = f"exposition, {len(capture) / 1e6:.0f} MB, {samples:,} samples"
    return [
        Row(name, "recognised and read", "prometheus_client parser", ratios(seconds, "reading", "client"), 15),
        Row(name, "cleaned and read as a block among others", "prometheus_client parser", ratios(seconds, "block", "client"), None),
    ]


def _agreed(text: str, capture: bytes) -> int:
    """How many samples both find."""
    reading = read(capture)
    agree(reading.state, "read", "lines that were read")
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    agree(sum(1 for line in text.splitlines() if not line.startswith("#")), len(samples), "samples")
    for part in (reading.parts[0], *prometheus.read(Block(clean(capture)))):
        for sample in samples:
            if sample.name in _FACTS:
                things, label, key = _FACTS[sample.name]
                name = sample.labels[label] + ("/1" if things == "ports" else "")
                agree(float(part.facts[things][name][key]), sample.value, f"{sample.name} of {name}")
    return len(samples)
