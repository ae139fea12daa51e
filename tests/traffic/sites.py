"""Small fabrics whose answers can be counted."""

from collections.abc import Sequence

from advisor.fabric.model import Fabric, Host, HostKind, Job, Leaf
from advisor.fabric.paths import placed_job


def clos(
    jobs: dict[str, tuple[str, ...]],
    *,
    leaves: Sequence[str] = "abcd",
    hosts: int = 4,
    ports: int = 8,
    uplinks: int = 32,
    speed: float = 1.0,
    **more: object,
) -> Fabric:
    """Leaves of `hosts` hosts (`a0`, `a1`, ...) with `ports` ports of 400, and `uplinks` of `speed` times 400 each."""
    names = {leaf: tuple(f"{leaf}{i}" for i in range(hosts)) for leaf in leaves}
    leaf_of = {host: leaf for leaf, members in names.items() for host in members}
    down, up = hosts * ports * 400.0, uplinks * speed * 400.0
    made = tuple(
        Leaf(name=leaf, hosts=members, down_gbps=down, up_gbps=up, ratio=down / up, uplinks=uplinks, uplink_gbps=speed * 400)
        for leaf, members in names.items()
    )
    placed = tuple(placed_job(Job(name=job, kind="training", hosts=on), leaf_of, [hosts] * len(leaves)) for job, on in jobs.items())
    return Fabric.model_validate(
        {
            "hosts": {host: Host(name=host, leaf=leaf) for host, leaf in leaf_of.items()},
            "leaves": made,
            "jobs": placed,
            "host_kinds": (HostKind(nics_per_host=ports, nic_rate_gbps=400, gpu="H100"),),
            **more,
        }
    )
