"""`ethtool -S` of many cards with 1,200 counters each, against insights-core and against splitting the text into lines."""

from insights.core.context import Context
from insights.parsers.ethtool import Statistics

from advisor.capture.lines import clean
from advisor.readers import ethtool_s
from advisor.readers.contract import Block
from advisor.readers.recognise import read
from tests.benchmarks import inputs
from tests.benchmarks.rounds import Row, agree, ratios, rounds

FILES = 1000
ROUNDS = 5


def compare() -> list[Row]:
    texts = inputs.ethtool_files(FILES)
    captures = [text.encode() for text in texts]
    contents = [Context(content=text.splitlines(), path="ethtool_-S_eth0") for text in texts]  # theirs begins with lines
    for capture, content in zip(captures[:20], contents, strict=False):
        theirs = Statistics(content).data
        agree(len(theirs), 1200, "counters of a file")
        for part in (read(capture).parts[0], *ethtool_s.read(Block(clean(capture)))):
            agree(part.facts["interfaces"]["#1"]["counters"], theirs, "counters of ethtool -S")
    seconds = rounds(
        {
            "reading": lambda: [read(capture) for capture in captures],
            "reader": lambda: [ethtool_s.bulk(capture) for capture in captures],
            "block": lambda: [list(ethtool_s.read(Block(clean(capture)))) for capture in captures],
            "insights": lambda: [Statistics(content) for content in contents],
            "splitlines": lambda: [text.splitlines() for text in texts],
        },
        ROUNDS,
    )
    text = f"ethtool -S, {FILES} files of 1,200 counters"
    insights, lines = "insights-core Statistics, from lines", "str.splitlines"
    return [
        Row(text, "recognised and read, from bytes", insights, ratios(seconds, "reading", "insights"), 2.5),
        Row(text, "recognised and read, from bytes", lines, ratios(seconds, "reading", "splitlines"), 0.40),
        Row(text, "reader alone, from bytes", insights, ratios(seconds, "reader", "insights"), 2.5),
        Row(text, "reader alone, from bytes", lines, ratios(seconds, "reader", "splitlines"), 0.40),
        Row(text, "cleaned and read as a block among others", insights, ratios(seconds, "block", "insights"), None),
    ]
