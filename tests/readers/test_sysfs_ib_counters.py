"""sysfs dumps: cat with braces and loops, head, loops over files, relative paths, before and after, failures."""

import pytest

from advisor.readers.recognise import read
from tests.readers.one import one, whys

PORT = "/sys/class/infiniband/mlx5_0/ports/1"


def test_files_of_a_cat() -> None:
    part = one(f"# cat {PORT}/{{state,phys_state,rate,link_layer,lid}}\n4: ACTIVE\n5: LinkUp\n400 Gb/sec (4X NDR)\nInfiniBand\n0x1f\n")
    assert part.facts["ports"]["mlx5_0/1"] == {
        "state": "active",
        "physical_state": "linkup",
        "rate_gbps": 400,
        "width": 4,
        "ib_speed": "NDR",
        "link_layer": "infiniband",
        "lid": 31,
    }


def test_a_loop_over_devices() -> None:
    part = one("# for i in 0 1; do cat /sys/class/infiniband/mlx5_$i/ports/1/rate; done\n400 Gb/sec (4X NDR)\n25 Gb/sec (1X EDR)\n")
    assert {name: entry["rate_gbps"] for name, entry in part.facts["ports"].items()} == {"mlx5_0/1": 400, "mlx5_1/1": 25}


@pytest.mark.parametrize(
    "text",
    [
        f"==> {PORT}/counters/port_xmit_data <==\n25\n\n==> {PORT}/hw_counters/np_cnp_sent <==\n7\n",
        f'# for f in {PORT}/*counters/*; do echo "$(basename $f): $(cat $f)"; done\nport_xmit_data: 25\nnp_cnp_sent: 7\n',
        f"{PORT}/counters/port_xmit_data:25\n{PORT}/hw_counters/np_cnp_sent:7\n",
        "/sys/devices/pci0000:00/0000:00:01.0/infiniband/mlx5_0/ports/1/counters/port_xmit_data 25\n"
        "/sys/devices/pci0000:00/0000:00:01.0/infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent 7\n",
        "mlx5_0/ports/1/counters/port_xmit_data:25\nmlx5_0/ports/1/hw_counters/np_cnp_sent:7\n",
    ],
)
def test_forms(text: str) -> None:
    port = one(text).facts["ports"]["mlx5_0/1"]
    assert port == {"counters": {"port_xmit_data": 25, "np_cnp_sent": 7}, "tx_bytes": 100, "cnp_sent": 7}


def test_before_and_after() -> None:
    text = "".join(f"{PORT}/counters/port_xmit_wait:{n}\n" for n in (5, 9))
    assert [part.facts["ports"]["mlx5_0/1"]["xmit_wait"] for part in read(text.encode()).parts] == [5, 9]


def test_what_the_device_has() -> None:
    folder = "/sys/class/infiniband/mlx5_0"
    text = f"# grep . {folder}/*\n{folder}/fw_ver:28.39.1002\n{folder}/hca_type:MT4129\n{folder}/device/numa_node:-1\n"
    assert one(text).facts["ports"]["mlx5_0"] == {"firmware": "28.39.1002", "model": "MT4129"}


def test_values_that_are_none_and_failures() -> None:
    part = one(f"{PORT}/counters/symbol_error:N/A (no PMA)\n{PORT}/counters/link_downed:1\n")
    assert part.facts["ports"]["mlx5_0/1"]["counters"] == {"link_downed": 1}
    failed = one(f"# cat {PORT}9/rate\ncat: {PORT}9/rate: No such file or directory\n")
    assert (failed.facts, whys(failed)) == ({}, [(2, "tool-error")])


def test_a_cut_counter() -> None:
    part = one(f"{PORT}/counters/link_downed:1\n{PORT}/counters/port_xmit_data:2304426694")
    assert part.facts["ports"]["mlx5_0/1"]["counters"] == {"link_downed": 1}
    assert whys(part) == [(2, "cut")]


def test_the_folder_that_a_command_goes_to_names_the_port() -> None:
    (part,) = read(b"gpu05$ cd /sys/class/infiniband/mlx5_3/ports/1/hw_counters && grep -H . *\nout_of_buffer:3\nlifespan:10\n").parts
    assert part.facts["ports"] == {"mlx5_3/1": {"counters": {"out_of_buffer": 3, "lifespan": 10}, "rx_no_buffer": 3}}
