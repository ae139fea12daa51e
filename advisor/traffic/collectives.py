"""From the bus bandwidth that a benchmark prints to bytes on wires, and what sending over few rails costs.

busbw is algbw times a factor by convention; which wire carries it depends on the algorithm. Rates share one unit.
"""


def per_nic_of_ring(busbw: float, nics: int) -> float:
    """What each NIC of a host carries in one direction when rings go through all of them: busbw spread over the NICs."""
    return busbw / nics


def per_gpu_of_hierarchy(busbw: float, ranks: int, hosts: int) -> float:
    """What each GPU's NIC carries when the data is first reduced inside hosts: busbw * (k - 1) / (n - 1) of n ranks on k hosts."""
    return busbw * (hosts - 1) / (ranks - 1)


def two_host_tree_ceiling(nics: float, ranks: int, inside: float = float("inf")) -> float:
    """Highest busbw of a tree over two hosts: each byte crosses the wire once, while busbw counts 2 (n - 1) / n. `inside` bounds it.

    It may exceed the sum of the NICs (source nccl-812).
    """
    return min(inside, nics * 2 * (ranks - 1) / ranks)


def slowed_ring(share: float) -> float:
    """Time over that of a healthy ring, bound by bandwidth, where one host keeps this share of its NICs: all wait for it."""
    return 1 / share


def rail_only_overhead(nic: float, inside: float, rails: int) -> float:
    """Extra time of an all-to-all without links between rails: what is meant for another rail goes over the GPUs' own links first.

    (r - 1) / r of the bytes, at the rate of those links, if nothing of it overlaps. Idea of rail-only networks (source railonly).
    """
    return (rails - 1) / rails * nic / inside
