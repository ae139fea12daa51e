"""Decoration around a paste goes, the text and its line numbers stay."""

import json

import pytest

from advisor.capture.lines import clean, decode, is_binary

STATS = "NIC statistics:\n     rx_prio3_pause: 5\n     tx_prio3_pause: 7\n"


def _texts(data: bytes | str) -> list[str]:
    return list(clean(data.encode() if isinstance(data, str) else data).texts)


@pytest.mark.parametrize(
    ("data", "text", "name"),
    [
        ("状态: ACTIVE".encode(), "状态: ACTIVE", "utf-8"),
        (b"\xef\xbb\xbfState", "State", "utf-8"),
        ("State: Active\n".encode("utf-16"), "State: Active\n", "utf-16"),
        ("State: Active\n".encode("utf-16-le"), "State: Active\n", "utf-16-le"),
        ("State: Active\n".encode("utf-16-be"), "State: Active\n", "utf-16-be"),
        ("端口状态正常\n".encode("gb18030"), "端口状态正常\n", "gb18030"),
        ("latency 5 µs at 40 °C\n".encode("cp1252"), "latency 5 µs at 40 °C\n", "cp1252"),
        ("端口状态".encode() + b"\xe6\xad", "端口状态\ufffd", "utf-8, damaged"),
    ],
)
def test_encodings(data: bytes, text: str, name: str) -> None:
    assert decode(data) == (text, name)


def test_binary_is_no_text() -> None:
    assert is_binary(b"\x7fELF\x02\x01\x00\x00" + bytes(100))
    assert is_binary(bytes(range(1, 9)) * 50)
    assert is_binary(b"%PDF-1.7\n% all of it in ASCII85\n")
    assert not is_binary("a\n".encode("utf-16"))
    assert not is_binary("rx_bytes: 5\n".encode("utf-16-le"))
    assert not is_binary(b"plain\n")


@pytest.mark.parametrize(
    ("line", "clean_line"),
    [
        ("State: \x1b[31mDown\x1b[0m", "State: Down"),
        ("LnkSta: Speed 8GT/s, Width x4   ← degraded", "LnkSta: Speed 8GT/s, Width x4"),
        ("Current             : 5  <-- not the maximum", "Current             : 5"),
        ("memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)", "memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)"),
        ("a\x1b[3Cb", "a   b"),
        ("\x1b]0;root@h: ~\x07root@h:~# ls", "root@h:~# ls"),
        ("\x1b[?2004hroot@h:~# ls\x1b[K", "root@h:~# ls"),
        ("^[[32m15E-255^[[0m", "15E-255"),
        ("State: [31mDown[0m", "State: Down"),
        ("elapsed [ms]: 5 [m/s]", "elapsed [ms]: 5 [m/s]"),
        ("50%\r100%", "100%"),
        ("State: Active\r", "State: Active"),
        ("rxx\x08_bytes", "rx_bytes"),
        ("a &lt;0&gt; &amp;amp; b&#58;", "a <0> & b:"),
        ("<span class='x'>State</span>: Active<br>", "State: Active"),
        ("`x` <NIC-1> <0>", "`x` <NIC-1> <0>"),
        ("Rate： ４００（4X　NDR）", "Rate: 400(4X  NDR)"),
        ("ethtool –S eth0 — “x”", 'ethtool -S eth0 -- "x"'),
        ("a\u200bb\ufeff", "ab"),
        ("```bash", ""),
    ],
)
def test_decoration_of_a_line(line: str, clean_line: str) -> None:
    assert _texts(f"first\n{line}\nlast\n")[1] == clean_line


def test_a_line_keeps_its_number_and_what_came() -> None:
    lines = clean(b"a\r\n\x1b[1mb\x1b[0m\r\n\r\nc")
    assert list(lines) == [(1, "a"), (2, "b"), (3, ""), (4, "c")]
    assert lines.raw[1] == "\x1b[1mb\x1b[0m"
    assert list(lines.inked()) == [(1, "a"), (2, "b"), (4, "c")]


def test_lines_that_a_page_put_into_one_keep_its_number() -> None:
    lines = clean(b"<pre>State: Active<br/>Rate: 400<br/></pre>\nlast\n")
    assert [pair for pair in lines if pair[1]] == [(1, "State: Active"), (1, "Rate: 400"), (2, "last")]


def test_only_carriage_returns_end_lines() -> None:
    assert [text for _, text in clean(b"CA 'mlx5_0'\r\tPort 1:\r\t\tState: Active\r").inked()] == [
        "CA 'mlx5_0'",
        "\tPort 1:",
        "\t\tState: Active",
    ]


@pytest.mark.parametrize(
    ("prefix", "host"),
    [
        ("[1,0]<stdout>:", None),
        ("[1,0]<stdout>: ", None),
        ("Wed Apr 15 04:36:50 2026[1,0]<stdout>:", None),
        ("[prterun-host-1@1,0]<stdout>: ", None),
        ("0: ", None),
        ("  12: ", None),
        ("> ", None),
        ("> > ", None),
        (">> ", None),
        ("gpu-07: ", "gpu-07"),
        ("gpu07.dc1.example: ", "gpu07.dc1.example"),
        ("Apr 10 09:14:00 gpu-07 job[123]: ", "gpu-07"),
        ("2026-04-10T09:14:00+0800 gpu-07 job[123]: ", "gpu-07"),
        ("<30>1 2026-04-10T09:14:00.000Z gpu-07 job 123 - - ", "gpu-07"),
        ("2026-04-10T09:14:00.000000Z ", None),
        ("2026-04-10T09:14:00.000000Z stdout F ", None),
        ("[pod/nccl-launcher-x1/main] ", None),
        ("nccl-1  | ", None),
        ("> [1,3]<stderr>:", None),
    ],
)
def test_prefixes_of_launchers_and_logs(prefix: str, host: str | None) -> None:
    body = STATS + "     rx_prio0_pause: 0\n"
    lines = clean("".join(prefix + line + "\n" for line in body.splitlines()).encode())
    assert [text for _, text in lines.inked()] == body.splitlines()
    assert set(lines.hosts.values()) == ({host} if host else set())


@pytest.mark.parametrize(
    "text",
    [
        "rx_prio3_pause: 5\nrx_prio3_pause: 6\nrx_prio3_pause: 7\n",  # counters, not hosts
        "mlx5_0: 1\nmlx5_0: x y\nmlx5_0: z w\n",  # a device
        "node distances:\nnode   0   1   2   3\n  0:  10  21  21  21\n  1:  21  10  21  21\n  2:  21  21  10  21\n  3:  21  21  21  10\n",
        "node-1:52:56 [0] NCCL INFO a\nnode-1:52:56 [0] NCCL INFO b\nnode-1:52:56 [0] NCCL INFO c\n",
        "[  5]   0.00-1.00   sec  4.23 GBytes\n[  5]   1.00-2.00   sec  4.23 GBytes\n[  5]   2.00-3.00   sec  4.23 GBytes\n",
        "3c3\n< a: 1\n---\n> a: 2\n> b: 2\n> c: 2\n",  # one side of a comparison is no quote
    ],
)
def test_what_only_looks_like_a_prefix_stays(text: str) -> None:
    assert _texts(text) == text.split("\n")


def test_a_quoted_block_inside_a_mail() -> None:
    mail = "Hello,\nwe see this:\n> CA 'mlx5_0'\n> \tPort 1:\n> \t\tState: Active\n\nRegards\n"
    assert _texts(mail)[2:5] == ["CA 'mlx5_0'", "\tPort 1:", "\t\tState: Active"]


def test_containers_one_line_an_entry() -> None:
    log = "".join(
        json.dumps({"log": line + "\n", "stream": "stdout", "time": "2026-04-10T09:14:00Z"}) + "\n" for line in STATS.splitlines()
    )
    assert [text for _, text in clean(log.encode()).inked()] == STATS.splitlines()


def test_cat_a_and_terminal_frames() -> None:
    assert _texts("a:^I1$\nb:^I2$\nc:^I3$\n")[:3] == ["a:\t1", "b:\t2", "c:\t3"]
    framed = "┌──────────────┐\n│ State: Active│\n│ Rate: 400    │\n│ Lid: 3       │\n└──────────────┘\n"
    assert _texts(framed)[1:4] == ["State: Active", "Rate: 400", "Lid: 3"]


def test_a_paste_that_was_indented_as_a_whole() -> None:
    assert _texts("    a\n\n      b\n    c\n") == ["a", "", "  b", "c", ""]
    assert _texts("\t\ta\n\tb\n") == ["\ta", "b", ""]
    assert _texts("\ta\n    b\n") == ["\ta", "    b", ""]


def test_lines_that_a_terminal_broke_at_its_last_column() -> None:
    long = [f"{letter}: " + "/".join(str(n) for n in range(1, 31 + n)) for n, letter in enumerate("abcd")]
    broken = "".join(line[i : i + 80] + "\n" for line in [*long, "e: 1"] for i in range(0, len(line), 80))
    assert [text for text in _texts(broken) if text] == [*long, "e: 1"]
    assert clean(broken.encode()).numbers[-2] == broken.count("\n")
    # a table whose rows are all that long, lines between rules that long, and a text with a longer line are left as they are
    table = "".join(f"{n:<40}{n:>40}\n" for n in range(5))
    rules = "".join(f"{n}: {'-' * 77}\na: {n}\n" for n in range(5))
    labelled = "".join(f"n-{n}: {str(n) * 75}\nn-{n}: x\n" for n in range(5))
    headed = "".join(f"{n:<20}{'x' * 60}\n{n + 5:<20}y\n" for n in range(5))
    for kept in table, rules, labelled, headed, broken + "z" * 81:
        assert _texts(kept)[0] == kept[:80]
        assert [text for text in _texts(kept) if text] == kept.splitlines()


def test_numbered_lines() -> None:
    numbered = "".join(f"{n:6}\t{line}\n" for n, line in enumerate(STATS.splitlines(), 1))
    assert _texts(numbered)[:3] == STATS.splitlines()


def test_a_line_of_megabytes_takes_linear_time() -> None:
    for unit in ("x", " ", "a:", "\x08", "\x1b[", "[m", "<b", "&#", "a@b", "> ", "-", "\r", "0: "):
        data = (unit * (2_000_000 // len(unit))).encode()
        assert sum(len(text) for text in clean(data).texts) <= len(data) + 2


@pytest.mark.parametrize(
    "pager",
    [
        *(" --More-- ", "--More--(45%)", "  ---- More ----", "---(more 45%)---", "<--- More --->", "lines 1-23/40 (END)", "(END)"),
        "  ---- More ----\x1b[16D                \x1b[16D",
        " --More-- \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08          \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08",
    ],
)
def test_what_a_pager_waits_with_is_no_line(pager: str) -> None:
    assert list(clean(f"a\n{pager}\n  b\n".encode()).texts) == ["a", "", "  b", ""]


def test_the_line_behind_a_wiped_pager_keeps_its_columns() -> None:
    wiped = "  ---- More ----\x1b[16D                \x1b[16D"
    assert list(clean(f"a\n{wiped}  b    c\n".encode()).texts) == ["a", "  b    c", ""]


def test_a_sentence_with_the_words_of_a_pager_stays() -> None:
    text = "--More-- is what the pager shows\nmore lines 1-23\n-- More data --\n"
    assert clean(text.encode()).text == text


def test_a_markdown_table_loses_its_bars_and_a_tool_s_frame_does_not() -> None:
    table = "| #bytes | BW peak[Gb/sec] |\n|---|:--:|\n| `65536` | 196.9 |\n\nThen\n"
    assert _texts(table) == ["#bytes  BW peak[Gb/sec]", "", "65536  196.9", "", "Then", ""]
    frame = "| Dest MAC | Src MAC |\n|--------------------|\n| 11:22 | 11:23 |\n"
    assert _texts(frame) == frame.split("\n")
