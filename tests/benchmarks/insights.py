"""insights-core over an archive, in a process of its own: every node to a rule over `ethtool -S`, `ethtool`, `-i`, `-g` and `lspci`."""

import json
import os
import resource
import sys
import time
from typing import Any


def run(folder: str) -> dict[str, Any]:
    """What it took, and the counters of the first node's first card."""
    from insights import dr, make_pass, rule
    from insights.core.hydration import initialize_broker
    from insights.parsers.ethtool import Driver, Ethtool, Ring, Statistics
    from insights.parsers.lspci import LsPci
    from insights.specs import Specs, default, insights_archive  # noqa: F401 - the places of the files

    @rule(Statistics, Ethtool, Driver, Ring, LsPci)
    def seen(counters: Any, links: Any, drivers: Any, rings: Any, pci: Any) -> Any:
        return make_pass("SEEN", cards=len(counters), links=len(links), drivers=len(drivers), rings=len(rings), pci=len(pci.pci_dev_list))

    graph = dr.get_dependency_graph(seen)
    nodes, first = sorted(os.scandir(folder), key=lambda entry: entry.name), None
    begun, used = time.monotonic(), time.process_time()
    cards = 0
    for node in nodes:
        _, broker = initialize_broker(node.path)
        dr.run(graph, broker=broker)
        cards += broker[seen]["cards"]
        if first is None:
            first = {one.ifname: one.data for one in broker[Statistics]}
    return {
        "seconds": time.monotonic() - begun,
        "cpu": time.process_time() - used,
        "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "cards": cards,
        "first": first,
    }


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1])))
