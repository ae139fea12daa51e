"""Pseudonyms keep shape and relations, and never bring the name back."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.capture.pseudonyms import Pseudonyms

KEY = bytes(range(32))


def masks(*names: str, numbers: tuple[str, ...] = ()) -> Pseudonyms:
    return Pseudonyms(KEY, frozenset(names), frozenset(numbers))


def test_names_keep_digits_separators_and_role_words() -> None:
    hidden = masks("nh-a01", "nh-a02", "nh-leaf-3").text("nh-a01 nh-a02 NH-LEAF-3 nh-a01.ib0")
    assert re.fullmatch(r"([a-z]{2}-[a-z]01) ([a-z]{2}-[a-z]02) [A-Z]{2}-LEAF-3 \1\.ib0", hidden)
    assert "nh" not in hidden.lower()


def test_lists_of_hosts_stay_lists_of_the_same_hosts() -> None:
    both = masks("nh-a01", "nh-a16")
    one, listed = both.text("nh-a01"), both.text("NodeList=nh-a[01-16]")
    assert listed == f"NodeList={one[:-2]}[01-16]"


@pytest.mark.parametrize("name", ["leaf-1", "gpu-node-04", "sw3", "node7"])
def test_a_name_of_role_words_alone_is_told_apart(name: str) -> None:
    hidden = masks(name).text(f"x {name} y")
    assert name not in hidden
    assert re.search(r"\d+", name)[0] in hidden  # type: ignore[index]
    assert ("leaf" in hidden) is ("leaf" in name)


def test_a_word_inside_another_is_left_alone() -> None:
    assert masks("lin").text("link lin/s linux admin") == masks("lin").text("link") + f" {masks('lin').name('lin')}/s linux admin"


def test_subnets_stay_subnets_and_no_address_stays() -> None:
    hidden = masks().text("10.20.1.11 10.20.1.12 10.20.2.11 10.99.1.11 127.0.0.1 255.255.255.0 0.0.0.0").split()
    assert hidden[4:] == ["127.0.0.1", "255.255.255.0", "0.0.0.0"]
    a, b, c, d = (address.split(".") for address in hidden[:4])
    assert a[:3] == b[:3] != c[:3]
    assert a[:2] == c[:2]
    assert a[0] == d[0]
    assert all(int(octet) < 256 for address in (a, b, c, d) for octet in address)
    assert not {"10.20.1.11", "10.20.1.12", "10.20.2.11", "10.99.1.11"} & set(hidden)
    assert [len(octet) for octet in a] == [2, 2, 1, 2]


@settings(deadline=None)
@given(st.lists(st.ip_addresses(v=4).map(str), min_size=2, max_size=30, unique=True))
def test_no_two_addresses_become_one(addresses: list[str]) -> None:
    hidden = masks().text("\n".join(addresses)).split("\n")
    assert len(set(hidden)) == len(addresses)


def test_hardware_addresses_keep_their_maker_and_agree_in_every_spelling() -> None:
    said = masks().text("b8:3f:d2:21:00:10 B8-3F-D2-21-00-10 b83f.d221.0010 0xb83fd20300210010 b83f:d203:0021:0010 S-b83fd20300210010")
    mac, dashed, dotted, guid, colons, described = said.split()
    assert mac.startswith("b8:3f:d2:")
    assert mac != "b8:3f:d2:21:00:10"
    assert dashed == mac.replace(":", "-").upper()
    assert dotted.replace(".", "") == mac.replace(":", "")
    assert guid[2:] == "b83fd20300" + mac.replace(":", "")[6:]
    assert colons.replace(":", "") == guid[2:]
    assert described == "S-" + guid[2:]


def test_ipv6_keeps_link_local_and_hides_the_interface() -> None:
    said = masks().text("fe80::ba59:9fff:fe1c:a3e fe80:0000:0000:0000:ba59:9fff:fe1c:0a3e ::ffff:10.20.1.11 10.20.1.11 ::1").split()
    assert said[0].startswith("fe80::ba59:9fff:fe")
    assert "1c:a3e" not in said[0]
    assert said[1].replace(":", "")[16:] == "".join(group.zfill(4) for group in said[0].split("::")[1].split(":"))
    assert said[2] == f"::ffff:{said[3]}"
    assert said[4] == "::1"


@pytest.mark.parametrize(
    "text",
    [
        "12:30:05",
        "2026-09-14 10:41:00",
        "1234567890123456",
        "0x0000000000000000",
        "0x2651e848",
        "fw 28.39.1002",
        "Bytes: 71,216",
        "a::b",
        "::",
    ],
)
def test_what_is_no_address_stays(text: str) -> None:
    assert masks().text(text) == text


def test_serials_and_identities_change_by_shape() -> None:
    said = masks().text("Serial Number: MT2231X04567\nGPU UUID: GPU-8f1c2d3e-0a1b-2c3d-4e5f-60718293a4b5")
    serial, identity = said.split("\n")
    assert re.fullmatch(r"Serial Number: [A-Z]{2}\d{4}[A-Z]\d{5}", serial)
    assert "MT2231X04567" not in serial
    assert re.fullmatch(r"GPU UUID: GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", identity)
    assert "8f1c2d3e" not in identity


def test_ids_of_digits_change_where_they_stand_alone() -> None:
    hidden = masks(numbers=("41207", "41209")).text("JobId=41207 rx_bytes: 9941207 41209")
    assert "9941207" in hidden
    assert not re.search(r"\b4120[79]\b", hidden)
    assert re.fullmatch(r"JobId=\d{5} rx_bytes: 9941207 \d{5}", hidden)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_lines_stay_lines(text: str) -> None:
    assert masks("nh-a01").text(text).count("\n") == text.count("\n")


def test_the_same_key_gives_the_same_pseudonyms_and_another_key_others() -> None:
    text = "nh-a01 10.1.2.3 b8:3f:d2:21:00:10"
    assert masks("nh-a01").text(text) == masks("nh-a01", "zz-other9").text(text)
    other = Pseudonyms(b"other" * 7, frozenset(["nh-a01"])).text(text)
    assert not set(masks("nh-a01").text(text).split()) & set(other.split())
