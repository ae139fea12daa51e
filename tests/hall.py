"""A hall of any size in genuine formats, made from the example site: every host with the captures of the example's best known one.

For tests and benchmarks that need many hosts: leaves of four hosts, jobs scattered over leaves as in the example, quiet and busy runs,
one training log. Deterministic: the same number of hosts gives the same bytes.
"""

import random
from pathlib import Path

from advisor.base.places import example_site

PER_LEAF = 4
_OF_HOST = ("ibdev2netdev.txt", "ibstat.txt", "mlnx_qos-ens10np0.txt", "nvidia-smi-topo.txt")
_COUNTED = ("ethtool-S-ens10np0-20260914-104000.txt", "ethtool-S-ens10np0-20260914-104100.txt")


def hall(folder: Path, hosts: int, counted: bool = True) -> Path:
    """Write the captures of a hall with so many hosts. `counted`: with two takes of NIC counters for each."""
    source = example_site()
    names = [f"nh-r{leaf:04}h{n}" for leaf in range(-(-hosts // PER_LEAF)) for n in range(PER_LEAF)][:hosts]
    leaves = {f"nh-leaf-{i + 1}": names[i * PER_LEAF : (i + 1) * PER_LEAF] for i in range(-(-hosts // PER_LEAF))}
    for number, name in enumerate(names):
        for file in (*_OF_HOST, *(_COUNTED if counted else ())):
            text = (source / "nh-b01" / file).read_text(encoding="utf-8").replace("nh-b01", name)
            text = text.replace("b83fd20300210", f"b83fd2{number:07x}").replace(
                "b8:3f:d2:21:", f"b8:3f:{number >> 8 & 255:02x}:{number & 255:02x}:"
            )
            _write(folder / name / file, text)
    for path in sorted((source / "runs").iterdir()):
        _write(folder / "runs" / path.name, _renamed(path.read_text(encoding="utf-8"), names))
    _write(folder / "training" / "megatron.log", (source / "training" / "megatron.log").read_text(encoding="utf-8"))
    topology = [f"SwitchName={leaf} Level=0 LinkSpeed=1 Nodes={','.join(members)}" for leaf, members in leaves.items()]
    topology.append(f"SwitchName=nh-spine Level=1 LinkSpeed=1 Nodes={','.join(names)} Switches={','.join(leaves)}")
    _write(folder / "slurm" / "topology.txt", "admin@nh-login1:~$ scontrol show topology\n" + "\n".join(topology) + "\n")
    _write(folder / "slurm" / "jobs.txt", _jobs(source, names))
    form = (source / "site.yaml").read_text(encoding="utf-8")
    form = form.replace("count: 16,", f"count: {hosts},").replace("leaf_count: 4,", f"leaf_count: {len(leaves)},")
    start, end = form.index("jobs:\n"), form.index("runs:\n")
    _write(folder / "site.yaml", _renamed(form[:start] + form[end:], names))
    return folder


def _renamed(text: str, names: list[str]) -> str:
    """The example's measured pair stays a pair: two hosts of the first leaf, and one of another."""
    for old, new in (("nh-a03", names[2]), ("nh-a04", names[3]), ("nh-c04", names[min(9, len(names) - 1)])):
        text = text.replace(old, new)
    return text


def _jobs(source: Path, names: list[str]) -> str:
    """Jobs of 4 to 16 hosts over the whole hall, in the form of the example's first."""
    whole = (source / "slurm" / "jobs.txt").read_text(encoding="utf-8")
    one = whole.partition("JobId=")[2].partition("\nJobId=")[0]
    dice, left, blocks, number = random.Random(7), list(names), [], 50000
    dice.shuffle(left)
    while left:
        size = dice.choice((4, 8, 8, 16))
        mine, left = left[:size], left[size:]
        number += 2
        text = f"JobId={number}" + one.partition(" JobName")[1] + one.partition(" JobName")[2]
        text = text.replace("NodeList=nh-a01,nh-b01,nh-c01,nh-d01", "NodeList=" + ",".join(mine)).replace(
            "BatchHost=nh-a01", f"BatchHost={mine[0]}"
        )
        text = text.replace(
            "NumNodes=4 NumCPUs=896 NumTasks=32", f"NumNodes={len(mine)} NumCPUs={224 * len(mine)} NumTasks={8 * len(mine)}"
        )
        text = text.replace("node=4,billing=896,gres/gpu=32", f"node={len(mine)},billing={224 * len(mine)},gres/gpu={8 * len(mine)}")
        blocks.append(text.rstrip("\n"))
    return "admin@nh-login1:~$ scontrol show job\n" + "\n\n".join(blocks) + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
