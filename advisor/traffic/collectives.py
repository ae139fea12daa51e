"""From the bus bandwidth that a benchmark prints to bytes on wires, and what sending over few rails costs.

busbw is algbw times a factor by convention (source nccl-tests-perf); which wire carries it depends on the algorithm. Rates share one unit.
"""

from advisor.traffic.patterns import Pattern, bytes_per_host


def factor(collective: str, ranks: int) -> float:
    """busbw over algbw as nccl-tests prints it: all_reduce 2(n-1)/n, reduce_scatter, all_gather, alltoall (n-1)/n, broadcast and reduce 1.

    all_reduce_in_network is what the document gives for reduction inside switches, (n-1)/(n+1); the program prints 2(n-1)/n for it too.
    Raises KeyError for another collective.
    """
    n = ranks
    return {
        "all_reduce": 2 * (n - 1) / n,
        "all_reduce_in_network": (n - 1) / (n + 1),
        "reduce_scatter": (n - 1) / n,
        "all_gather": (n - 1) / n,
        "alltoall": (n - 1) / n,
        "broadcast": 1.0,
        "reduce": 1.0,
    }[collective]


def per_nic_of_ring(busbw: float, nics: int) -> float:
    """What each NIC of a host carries in one direction when rings go through all of them: busbw spread over the NICs."""
    return busbw / nics


def per_gpu_of_hierarchy(busbw: float, ranks: int, hosts: int) -> float:
    """What each GPU's NIC carries when the data is first reduced inside hosts: busbw * (k - 1) / (n - 1) of n ranks on k hosts."""
    return busbw * (hosts - 1) / (ranks - 1)


def ceiling(pattern: Pattern, line: float, hosts: int, ranks: int, inside: float = float("inf")) -> float:
    """Highest busbw that ports of `line` together allow: a byte of an all-reduce crosses them as often as the algorithm has it
    (patterns.bytes_per_host), while busbw counts it 2 (n - 1) / n times. `inside` bounds it.

    Of a tree over two hosts and of reduction inside switches it exceeds the line rate (sources nccl-812, nccl-320).
    """
    if pattern == "all-to-all":
        return min(inside, line)
    return min(inside, line * factor("all_reduce", ranks) / bytes_per_host(pattern, hosts, ranks))


def rail_only_overhead(nic: float, inside: float, rails: int) -> float:
    """Extra time of an all-to-all without links between rails: what is meant for another rail goes over the GPUs' own links first.

    (r - 1) / r of the bytes, at the rate of those links, if nothing of it overlaps. Idea of rail-only networks (source railonly).
    """
    return (rails - 1) / rails * nic / inside


def line_rate(hosts: int, nics: int, nic: float) -> float:
    """What so many hosts with so many NICs can read or write together, in the unit of `nic`."""
    return hosts * nics * nic
