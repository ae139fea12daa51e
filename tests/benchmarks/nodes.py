"""Archives of many nodes made up from a seed: 47 files and 0.3 MB for each, laid out as an Insights archive or as by our collecting script.

A node has eight cards of one driver. What a fleet of one model says alike on every node (rings, pause, the driver, the PCI tree) has the
same bytes here too, as on real sites; counters, memory, clocks and names differ. `distinct`: no two files are alike, harder than any site.
"""

import random
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.inputs import SEED, _counter, _mlx5_names

CARDS = tuple(f"ens{10 + i}np0" for i in range(8))
FILES = 47
_COUNTERS = _mlx5_names(1200)
_COMMANDS = "data/insights_commands"


def name(number: int) -> str:
    return f"gpu-r{number // 8:04}n{number % 8}"


def settings(card: str) -> str:
    """What plain `ethtool` prints of a card."""
    return _SETTINGS.replace("CARD", card)


def insights(folder: Path, nodes: int, distinct: bool = False) -> Path:
    """Folders as an Insights archive has them once unpacked, one for each node."""
    for number in range(nodes):
        top = folder / f"insights-{name(number)}-20261130080000"
        for command, text in _outputs(number, distinct):
            _write(top / _COMMANDS / command.replace(" ", "_"), text)
        for place, text in _files(number):
            _write(top / "data" / place, text)
    return folder


def collected(folder: Path, nodes: int) -> Path:
    """What our own script packs: HOST/TIME/NN-tool.txt, the command line on top as a prompt."""
    for number in range(nodes):
        host = name(number)
        outputs = (*_outputs(number, False), *((f"cat /{place}", text) for place, text in _files(number)))
        for n, (command, text) in enumerate(outputs, 1):
            place = folder / host / "20261130T080000" / f"{n:02}-{command.split()[0]}{'-' + command.split()[-1] if n <= 40 else ''}.txt"
            _write(place, f"root@{host}:~# {command}\n{text}")
    return folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _outputs(number: int, distinct: bool) -> Iterator[tuple[str, str]]:
    """Command lines with what they print: 40 of the cards, five of the machine."""
    rng = random.Random(SEED + 1000 + number)
    for i, card in enumerate(CARDS):
        odd = f"{number * 8 + i}" if distinct else "0"
        yield f"ethtool {card}", settings(card).replace("PHYAD: 0", f"PHYAD: {odd}")
        yield f"ethtool -S {card}", "NIC statistics:\n" + "".join(f"     {counter}: {_counter(rng)}\n" for counter in _COUNTERS)
        yield f"ethtool -i {card}", _DRIVER.replace("BUS", f"0000:{0x18 + 0x10 * i:02x}:00.0").replace("MODEL", f"{838 + int(odd):010}")
        yield f"ethtool -g {card}", _RINGS.replace("CARD", card).replace("1024", odd if distinct else "1024")
        yield f"ethtool -a {card}", _PAUSE.replace("CARD", f"{card}{odd}" if distinct else card)
    tree = "".join(_PCI.replace("BUS", f"{0x18 + 0x10 * i:02x}") for i in range(8))
    yield "lspci -k", tree + (f"ff:1f.0 Bridge: {number}\n" if distinct else "")
    yield "lscpu", _CPU + (f"BogoMIPS: {number}\n" if distinct else "")
    yield "uname -a", f"Linux {name(number)} 5.14.0-427.13.1.el9_4.x86_64 #1 SMP Wed Apr 10 10:29:16 EDT 2024 x86_64 GNU/Linux\n"
    yield "hostname", f"{name(number)}\n"
    yield "uptime", f" 08:00:{number % 60:02} up {number % 90} days, 3:14, 1 user, load average: {number % 7}.10, 1.00, 0.50\n"


def _files(number: int) -> Iterator[tuple[str, str]]:
    rng = random.Random(SEED + 2000 + number)
    yield "proc/meminfo", "".join(f"{key + ':':<16}{rng.randrange(2 * 10**9):>10} kB\n" for key in _MEMORY)
    yield "etc/redhat-release", "Red Hat Enterprise Linux release 9.4 (Plow)\n"


_MEMORY = (
    *("MemTotal", "MemFree", "MemAvailable", "Buffers", "Cached", "SwapCached"),
    *("Active", "Inactive", "Dirty", "Slab", "PageTables", "HugePages"),
)
_SETTINGS = """Settings for CARD:
\tSupported ports: [ Backplane ]
\tSupported link modes:   25000baseCR/Full
\t                        100000baseCR4/Full
\t                        200000baseCR4/Full
\t                        400000baseCR8/Full
\tSupported pause frame use: Symmetric
\tSupports auto-negotiation: Yes
\tSupported FEC modes: RS
\tAdvertised link modes:  25000baseCR/Full
\t                        100000baseCR4/Full
\t                        200000baseCR4/Full
\t                        400000baseCR8/Full
\tAdvertised pause frame use: Symmetric
\tAdvertised auto-negotiation: Yes
\tAdvertised FEC modes: RS
\tSpeed: 400000Mb/s
\tDuplex: Full
\tAuto-negotiation: on
\tPort: Direct Attach Copper
\tPHYAD: 0
\tTransceiver: internal
\tSupports Wake-on: d
\tWake-on: d
\tLink detected: yes
"""
_DRIVER = """driver: mlx5_core
version: 24.10-1.1.4
firmware-version: 28.43.2026 (MT_MODEL)
expansion-rom-version:
bus-info: BUS
supports-statistics: yes
supports-test: yes
supports-eeprom-access: no
supports-register-dump: no
supports-priv-flags: yes
"""
_RINGS = """Ring parameters for CARD:
Pre-set maximums:
RX:\t\t8192
RX Mini:\t0
RX Jumbo:\t0
TX:\t\t8192
Current hardware settings:
RX:\t\t1024
RX Mini:\t0
RX Jumbo:\t0
TX:\t\t1024
"""
_PAUSE = """Pause parameters for CARD:
Autonegotiate:\toff
RX:\t\toff
TX:\t\toff
"""
_PCI = """BUS:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
\tSubsystem: Mellanox Technologies MT2910 Family [ConnectX-7]
\tKernel driver in use: mlx5_core
\tKernel modules: mlx5_core
BUS:01.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)
\tSubsystem: NVIDIA Corporation Device 16c1
\tKernel driver in use: nvidia
\tKernel modules: nvidiafb, nouveau, nvidia_drm, nvidia
"""
_CPU = """Architecture:             x86_64
CPU(s):                   192
On-line CPU(s) list:      0-191
Model name:               Intel(R) Xeon(R) Platinum 8468
Thread(s) per core:       2
Core(s) per socket:       48
Socket(s):                2
NUMA node(s):             2
NUMA node0 CPU(s):        0-47,96-143
NUMA node1 CPU(s):        48-95,144-191
"""
