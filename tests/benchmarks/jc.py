"""`ethtool -S` as jc reads it (`--kv`: its reader of `ethtool` finds nothing in it and says nothing), and plain `ethtool`."""

import jc

from advisor.readers.recognise import read
from tests.benchmarks import inputs, nodes
from tests.benchmarks.rounds import Row, agree, ratios, rounds

FILES, PLAIN, ROUNDS = 40, 400, 3


def compare() -> list[Row]:
    texts = inputs.ethtool_files(FILES)
    captures = [text.encode() for text in texts]
    bare = ["\n".join(line.strip() for line in text.splitlines()[1:]) for text in texts]  # it takes what is set in for one long value
    theirs = {name: int(value) for name, value in jc.parse("kv", bare[0]).items()}
    agree(read(captures[0]).parts[0].facts["interfaces"]["#1"]["counters"], theirs, "counters of ethtool -S")
    plain = [nodes.settings(f"ens{n}np0") for n in range(PLAIN)]
    agree(
        read(plain[0].encode()).parts[0].facts["interfaces"]["ens0np0"]["rate_gbps"],
        jc.parse("ethtool", plain[0])["speed_bps"] / 10**9,
        "speed of plain ethtool",
    )
    seconds = rounds(
        {
            "ours": lambda: [read(capture) for capture in captures],
            "jc": lambda: [jc.parse("kv", text) for text in bare],
            "our plain": lambda: [read(text.encode()) for text in plain],
            "jc plain": lambda: [jc.parse("ethtool", text) for text in plain],
        },
        ROUNDS,
    )
    ours = "recognised and read"
    return [
        Row(
            f"ethtool -S, {FILES} files of 1,200 counters", ours, "jc --kv, from lines without margin", ratios(seconds, "ours", "jc"), 10.0
        ),
        Row(f"ethtool, {PLAIN} files", ours, "jc --ethtool", ratios(seconds, "our plain", "jc plain"), None),
    ]
