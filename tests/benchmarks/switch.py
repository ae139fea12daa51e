"""`show interfaces` of Arista switches against ntc-templates, whose template passes over PAUSE and discards."""

import re

from ntc_templates.parse import parse_output

from advisor.capture.lines import clean
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from advisor.readers.switch import arista_eos
from tests.benchmarks import inputs
from tests.benchmarks.rounds import Row, agree, ratios, rounds

SWITCHES = 20
PORTS = 64
ROUNDS = 5
# What stands in the text of the counters that a template leaves out.
_KEPT = {"rx_pause": r"(\d+) PAUSE input", "tx_pause": r"(\d+) PAUSE output"}
_KEPT |= {"rx_discards": r"(\d+) input discards", "tx_discards": r"(\d+) output discards"}


def compare() -> list[Row]:
    texts = inputs.switches(SWITCHES, PORTS)
    captures = [text.encode() for text in texts]
    for text, capture in zip(texts, captures, strict=True):
        theirs = {row["interface"]: int(row["mtu"]) for row in parse_output("arista_eos", "show interfaces", text)}
        agree(len(theirs), PORTS, "ports of a switch")
        for part in (read(capture).parts[0], *arista_eos.read(Block(clean(capture)))):
            ports = part.facts["interfaces"]
            agree({name: port["mtu_bytes"] for name, port in ports.items()}, theirs, "ports and their MTU")
            for key, pattern in _KEPT.items():
                agree([port[key] for port in ports.values()], list(map(int, re.findall(pattern, text))), key)
    seconds = rounds(
        {
            "reading": lambda: [read(capture) for capture in captures],
            "block": lambda: [list(arista_eos.read(Block(clean(capture)))) for capture in captures],
            "ntc": lambda: [parse_output("arista_eos", "show interfaces", text) for text in texts],
        },
        ROUNDS,
    )
    text = f"show interfaces, {SWITCHES} switches of {PORTS} ports, with PAUSE and discards"
    return [
        Row(text, "cleaned and read", "ntc-templates parse_output", ratios(seconds, "block", "ntc"), 1.7),
        Row(text, "recognised and read", "ntc-templates parse_output", ratios(seconds, "reading", "ntc"), None),
    ]
