"""Mutations from a seed, in plain Python: the part of fuzzing that every test run does."""

import random

# What formats are made of, and what breaks their readers: numbers at the edge of a type, quotes, ends of lines, alphabets, control codes.
TOKENS = (
    *(b"\n", b"\r\n", b"\r", b"\t", b" ", b"  ", b":", b"=", b",", b"|", b"-", b"{", b"}", b"[", b"]", b'"', b"'", b"<", b">", b"/", b"\\"),
    *(b"0", b"-1", b"1e999", b"NaN", b"inf", b"99999999999999999999999999", b"0x", b"0x1p1", b"1/0", b"1,,2", b"1.2.3", b"N/A", b"[N/A]"),
    *(b"\x00", b"\xff", b"\xfe\xff", b"\x1b[31m", b"\x1b]0;x\x07", b"\x08", b"\xe2\x80\xae", b"\xef\xbb\xbf", "网".encode(), "²".encode()),
    *(b"<!DOCTYPE a [", b"<!ENTITY b 'c'>", b"&b;", b"]]>", b"null", b"true", b"# TYPE", b"root@gpu-01:~# ", b"--", b"EOF", b"..", b"%s"),
    *(
        b"9" * 5000,
        "٣".encode(),
        "１".encode(),
        "一".encode(),
        b"1_000",
        b"+5",
        b"1e5000",
        b"-0",
        b"1-",
        b"5-3",
        b"[0-99999999]",
        b"a[1-9999999]b",
    ),
)


def mutated(data: bytes, chance: random.Random, others: list[bytes]) -> bytes:
    """The text with one to eight changes: bytes, tokens, lines, pieces of other texts."""
    out = bytearray(data)
    for _ in range(chance.randrange(1, 9)):
        _change(out, chance, others)
    return bytes(out)


def _change(out: bytearray, chance: random.Random, others: list[bytes]) -> None:
    at = chance.randrange(len(out) + 1)
    kind = chance.randrange(8)
    if kind == 0:
        out[at : at + 1] = bytes([chance.randrange(256)])
    elif kind == 1:
        out[at:at] = chance.choice(TOKENS)
    elif kind == 2:
        out[at : at + chance.randrange(1, 40)] = b""
    elif kind == 3:
        out[at:at] = chance.choice(TOKENS) * chance.choice((2, 3, 30, 300))
    elif kind == 4:
        lines = bytes(out).split(b"\n")
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        lines[here], lines[there] = lines[there], lines[here]
        out[:] = b"\n".join(lines)
    elif kind == 5:
        lines = bytes(out).split(b"\n")
        here = chance.randrange(len(lines))
        lines[here:here] = lines[here : here + chance.randrange(1, 4)] * chance.choice((1, 2, 20))
        out[:] = b"\n".join(lines)
    elif kind == 6:
        other = chance.choice(others)
        begin = chance.randrange(len(other) + 1)
        out[at:at] = other[begin : begin + chance.randrange(1, 200)]
    else:  # a number becomes another
        digits = [i for i, byte in enumerate(out) if 48 <= byte <= 57]
        if digits:
            place = chance.choice(digits)
            out[place : place + 1] = chance.choice(TOKENS)
