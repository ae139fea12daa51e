"""What a person says outright: the signs of the statements form, and words that describe the site."""

from collections.abc import Iterator

from advisor.diagnosis.measured import Row, also, measure
from advisor.diagnosis.observed import Observed
from advisor.diagnosis.verdicts import Layer

# Sign of the form: its group of evidence, and the layer that it tells of.
SIGNS: dict[str, tuple[str, Layer]] = {
    "acs_redirect_on": ("gpu-path", "node"),
    "iommu_translating": ("gpu-path", "node"),
    "gdr_module_loaded": ("gpudirect", "host-software"),
    "gdr_used": ("gpudirect", "host-software"),
    "relaxed_ordering_on": ("pcie-order", "host-software"),
    "pcie_below_common_max": ("pcie", "node"),
    "slot_narrower_than_card": ("slot", "node"),
    "ports_share_card": ("card", "node"),
    "nvlinks_as_on_twins": ("nvlink", "node"),
    "host_memory_slower_than_gpu_memory": ("memory-path", "node"),
    "gpus_share_nic": ("nic-use", "host-software"),
    "nic_share_equal": ("nic-use", "host-software"),
    "cpu_clock_low": ("clocks", "node"),
    "hosts_identical": ("equality", "node"),
    "settings_equal_on_hosts": ("settings", "host-software"),
    "graph_equal_on_hosts": ("graph", "host-software"),
    "topology_file_in_use": ("topology-file", "host-software"),
    "rdma_devices_present": ("transport", "host-software"),
    "rdma_used": ("transport", "host-software"),
    "perftest_at_line_rate": ("wire", "fabric"),
    "one_queue_pair_enough": ("queue-pairs", "host-software"),
    "less_traffic_helps": ("volume", "fabric"),
    "ranks_arrive_late": ("arrival", "storage"),
    "synthetic_data_helps": ("input", "storage"),
    "one_host_slow": ("host-pattern", "node"),
    "depends_on_node_pair": ("pairs", "fabric"),
    "slow_only_across_leaves": ("crossing", "fabric"),
    "scales_down_with_hosts": ("scaling", "fabric"),
    "varies_between_runs": ("scatter", "fabric"),
    "scatter_grows_with_hosts": ("scatter", "fabric"),
    "depends_on_load": ("load", "fabric"),
    "slow_at_all_hours": ("load", "fabric"),
    "other_tenants_active": ("tenants", "scheduling"),
    "uplinks_even": ("uplinks", "fabric"),
    "uplinks_full": ("uplinks", "fabric"),
    "uplink_failed": ("uplink-state", "fabric"),
    "adaptive_routing_on": ("routing", "fabric"),
    "port_errors_growing": ("link", "fabric"),
    "mtu_equal": ("mtu", "fabric"),
    "leaf_shared_by_jobs": ("placement", "scheduling"),
    "placement_scattered": ("placement", "scheduling"),
    "pause_first_seen_at": ("pause", "flow-control"),
    "pause_growing": ("pause", "flow-control"),
    "drops_growing": ("loss", "flow-control"),
    "ecn_marks_growing": ("marks", "flow-control"),
    "roce_on_lossy_priority": ("class", "flow-control"),
    "dips_in_checkpoint_windows": ("checkpoint", "storage"),
    "slow_while_data_is_read": ("reads", "storage"),
    "slow_while_storage_busy": ("storage-load", "storage"),
}


def _sign(name: str, group: str, layer: Layer) -> None:
    @measure(name, group, layer)
    def values(site: Observed) -> Iterator[Row]:
        """Answered by a person in the form (observations), or following from figures by knowledge/signs.yaml."""
        for value, where in site.stated("observations", name):
            yield value, "", (where,)


for _name, (_group, _layer) in SIGNS.items():
    _sign(_name, _group, _layer)


def _word(name: str, key: str, layer: Layer) -> None:
    @measure(name, "site", layer)
    def values(site: Observed) -> Iterator[Row]:
        """A word that a person stated of the whole site in the form."""
        if key in site.words:
            value, where = site.words[key]
            yield value, "", (where,)


for _name, _key, _layer in (
    ("use", "use", "scheduling"),
    ("environment", "environment", "node"),
    ("routing", "routing", "fabric"),
    ("topology", "topology", "fabric"),
):
    _word(_name, _key, _layer)


@measure("technology", "site", "fabric")
def technology(site: Observed) -> Iterator[Row]:
    """Technology of the network: ib, roce, tcp, efa; stated, else as all RDMA ports are."""
    if site.fabric.technology:
        stated = site.words.get("fabric")
        where = [stated[1]] if stated else [port.origin("link_layer") for _, port in site.host_ports if port.link_layer][:1]
        yield site.fabric.technology, "", where


@measure("virtualised", "site", "node")
def virtualised(site: Observed) -> Iterator[Row]:
    """Whether hosts are virtual machines: stated of a kind of host, or of the whole site."""
    for value, where in site.stated("hosts", "virtualised"):
        yield value, "", (where,)
    if site.words.get("environment", ("", None))[0] == "vm":
        yield True, "", (site.words["environment"][1],)


@also("rdma_devices_present")
def rdma_devices(site: Observed) -> Iterator[Row]:
    """A listed port of an RDMA device that is up."""
    for known in site.facts("ports.*.state", "ibstat", "ibstatus", "ibv_devinfo", "sysfs-ib-counters"):
        if known.value == "active":
            yield True, known.host or "", (known.origin,)
