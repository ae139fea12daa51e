"""The script on one machine: every probe's file is read by an import, a hanging, failing or missing tool costs nothing else."""

import json
import re
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Sandbox, golden

from advisor.cli import run
from advisor.fabric.series import rates
from advisor.usecases.assess import open_site
from advisor.usecases.collect import Step, chosen, script

GOOD = {
    "nvidia-smi": {
        "'topo -m'": golden("nvidia-smi-topo/04-hopper-8nic-1to1-pix.txt"),
        "'nvlink -s'": golden("nvidia-smi-nvlink/01-a100-8gpu-spaces.txt"),
        "--query-gpu*": golden("nvidia-smi-csv/02-named-width-8-of-16-one-card.csv"),
        "-q": golden("nvidia-smi-q/02-h100-nvl-gen5-clean.txt"),
    },
    "lspci": {"*": golden("lspci/01-h100-cx7-ok-switch-port-downgraded.txt")},
    "numactl": {"-H": golden("numactl/02-epyc-two-socket-smt-off.txt")},
    "ibstat": {"*": golden("ibstat/01-hdr-cards-at-100.txt")},
    "ibdev2netdev": {"*": golden("ibdev2netdev/01-h100-ib-down-is-ipoib-only.txt")},
    "show_gids": {"*": golden("show_gids/01-bond-roce-v1-v2.txt")},
    "ibv_devinfo": {"-v": golden("ibv_devinfo/02-verbose-roce-100g-gids.txt")},
    "mlxlink": {"'-d mlx5_0 -m -c -e'": golden("mlxlink/01-cx6dx-100g-eth.txt")},
    "mlnx_qos": {"'-i eth0'": golden("mlnx_qos/01-dscp-pfc5-ets.txt")},
    "rocm-smi": {"--showtopo": golden("rocm-smi-topo/01-mi300a-4gpu-xgmi.txt")},
    "ibqueryerrors": {"*": golden("ibqueryerrors/02-data-counters-inf-pb.txt")},
    "ibnetdiscover": {"*": golden("ibnetdiscover/01-three-tier-hdr-with-aggregation-node.txt")},
    "iblinkinfo": {"*": golden("iblinkinfo/02-edr-hosts-on-hdr-switch-sharp.txt")},
}
ETHTOOL = """case "$*" in
  "-S eth0") echo "NIC statistics:"; echo "     tx_bytes_phy: $(date +%s)000000000"; echo "     rx_discards_phy: 5" ;;
  "-i eth0") echo "driver: mlx5_core"; echo "firmware-version: 28.39.1002 (MT_0000000838)"; echo "bus-info: 0000:9b:00.0" ;;
  "eth0") echo "Settings for eth0:"; echo "	Speed: 400000Mb/s"; echo "	Duplex: Full"; echo "	Link detected: yes" ;;
  "-S eth1") echo "NIC statistics:"; echo "     tx_bytes_phy: 77" ;;
  "eth1" | "-i eth1") echo "netlink error: No such device" >&2; exit 1 ;;
  *) echo "$*" >> "$HOME/strange"; exit 1 ;;
esac"""
# Which tool a reader must see in the file of which probe.
TOOLS = {
    "nvidia-smi-topo": "nvidia-smi-topo",
    "nvidia-smi-nvlink": "nvidia-smi-nvlink",
    "nvidia-smi-csv": "nvidia-smi-csv",
    "nvidia-smi-q": "nvidia-smi-q",
    "lspci": "lspci",
    "numactl": "numactl",
    "ibstat": "ibstat",
    "ibdev2netdev": "ibdev2netdev",
    "show_gids": "show_gids",
    "ibv_devinfo": "ibv_devinfo",
    "mlxlink-mlx5_0": "mlxlink",
    "mlnx_qos-eth0": "mlnx_qos",
    "rocm-smi-topo": "rocm-smi-topo",
    "ethtool-eth0": "ethtool",
    "ethtool-S-eth0": "ethtool-S",
    "ethtool-i-eth0": "ethtool-i",
    "proc-net-bonding-bond0": "proc-net-bonding",
    "sysfs-ib-counters-mlx5_0-1": "sysfs-ib-counters",
    "ibqueryerrors": "ibqueryerrors",
    "ibnetdiscover": "ibnetdiscover",
    "iblinkinfo": "iblinkinfo",
    "environment": "environment",
}


def here(*names: str, limit_s: int | None = None, gap_s: int = 1) -> str:
    """The script of this machine, of all probes or of these, with another limit."""
    steps = [step for step in chosen("ssh") if not names or step.id in names]
    if limit_s:
        steps = [Step(s.number, s.id, replace(s.probe, limit_s=limit_s)) for s in steps]
    return script("ssh", steps, "en", (), gap_s)


@pytest.fixture
def machine(sandbox: Sandbox) -> Sandbox:
    for name, outputs in GOOD.items():
        sandbox.prints(name, outputs)
    sandbox.tool("ethtool", ETHTOOL)
    sandbox.env |= {
        "NCCL_IB_HCA": "mlx5_0",
        "CUDA_VISIBLE_DEVICES": "0,1",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMIK7MDENG",
        "NCCL_API_TOKEN": "verysecretvalue",
        "DATABASE_URL": "postgres://u:hunter2@db/x",
    }
    return sandbox


def is_gone(pid: Path) -> bool:
    """Whether the process with the number in a file has ended, or does so within a minute; a zombie has."""
    status = Path(f"/proc/{pid.read_text().strip()}/status")
    for _ in range(600):
        try:
            if "\nState:\tZ" in status.read_text():
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.1)
    return False


def inspected(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> dict[str, dict]:  # type: ignore[type-arg]
    """What an inspection of the archive says, by the file's name in it."""
    assert run(["inspect", str(sandbox.archive), "--json"]) == 0
    trees = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {tree["file"].rpartition("!")[2]: tree for tree in trees}


def test_an_import_reads_the_archive_whole(machine: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = machine.sh(here())
    assert "nvidia-smi topo -m" in done.stderr, "it says what it will run"
    assert not (machine.root / "strange").exists(), "only physical devices with plain names"
    files = inspected(machine, capsys)
    assert all(name.split("/")[0] == "gpu-07" for name in files)
    by_probe = {name.split("/")[2][3:].removesuffix(".txt"): tree for name, tree in files.items()}
    for probe, tool in TOOLS.items():
        assert [part["tool"] for part in by_probe[probe]["parts"]] == [tool], probe
        assert by_probe[probe]["refused"] is None
        assert {part["host"] for part in by_probe[probe]["parts"]} == {"gpu-07"}, probe
    refused = {probe for probe, tree in by_probe.items() if tree["refused"]}
    assert refused == {"nvidia-smi-nvlink-errors", "nvidia-smi-dmon", "ethtool-eth1", "ethtool-i-eth1"}, "the fake tools that fail"
    assert by_probe["ethtool-eth0"]["parts"][0]["facts"]["interfaces"]["eth0"]["rate_gbps"] == 400
    assert run(["import", str(tmp_path / "hall.advisor"), str(machine.archive), "--json"]) == 0
    imported = json.loads(capsys.readouterr().out)
    assert imported["files"] == len(files) == imported["new"]
    assert imported["passed_over"] == []
    assert set(imported["states"]) <= {"read", "read-in-part", "refused"}


def test_counters_become_rates(machine: Sandbox) -> None:
    machine.sh(here("ethtool-S", "sysfs-ib-counters", gap_s=2))
    site = open_site(str(machine.archive))
    found = {(rate.port, rate.counter): rate for rate in rates(site.bundle)}
    sent = found["eth0", "tx_bytes"]
    assert sent.device == "gpu-07"
    assert sent.elapsed_s is not None
    assert sent.elapsed_s >= 2
    assert sent.delta == pytest.approx(sent.elapsed_s * 1e9, abs=1e9)
    assert found["eth1", "tx_bytes"].delta == 0, "two takes that say the same are two takes"
    assert found["mlx5_0/1", "tx_bytes"].delta == 0


def test_nothing_secret_leaves_the_machine(machine: Sandbox) -> None:
    machine.tool(
        "lscpu",
        'echo "Model name: X"; echo "token: abcdefgh12345678"; echo "Authorization: Bearer abc.def.ghi"; echo "see https://me:pw123@host/x"',
    )
    machine.tool(
        "numactl",
        'echo "-----BEGIN RSA PRIVATE KEY-----"; echo MIIabc; echo "-----END RSA PRIVATE KEY-----"; echo "x_password=sesame"; exit 1',
    )
    (machine.root / "root/etc").mkdir()
    (machine.root / "root/etc/nccl.conf").write_text("# a remark\nNCCL_SOCKET_IFNAME=eth0\nLOGIN=admin:pw\n")
    machine.sh(here("lscpu", "numactl", "environment", "nccl-conf"))
    text = "\n".join(machine.files().values())
    assert "NCCL_IB_HCA=mlx5_0" in text
    assert "NCCL_SOCKET_IFNAME=eth0" in text
    for secret in ("wJalr", "verysecret", "hunter2", "abcdefgh", "abc.def", "pw123", "MIIabc", "sesame", "admin:pw", "AWS_"):
        assert secret not in text, secret


@pytest.mark.parametrize("has_timeout", [True, False])
def test_a_hanging_tool_is_stopped_with_its_children(machine: Sandbox, has_timeout: bool) -> None:
    if not has_timeout:
        machine.without("timeout")
    machine.tool("ibstat", f"echo \"CA 'mlx5_0'\"; printf 'half a li'; sleep 610 & echo $! > {machine.root}/child; sleep 620")
    machine.tool("show_gids", "exec sleep 630")
    done = machine.sh(here("ibstat", "show_gids", "ibdev2netdev", limit_s=1), seconds=300)
    ibstat = machine.one("-ibstat.txt").splitlines()
    assert ibstat[1:] == ["CA 'mlx5_0'", "Error: stopped after 1 s"], "whole lines, and what happened"
    assert machine.one("-show_gids.txt").splitlines()[1:] == ["Error: stopped after 1 s"]
    assert "enp157s0f1np1" in machine.one("-ibdev2netdev.txt"), "the rest goes on"
    log = machine.one("00-collect-node.txt")
    assert "\tstopped\t14-ibstat\t" in log
    assert "\tdone\t15-ibdev2netdev\t" in log
    assert is_gone(machine.root / "child"), "no child is left"
    assert "Traceback" not in done.stderr


def test_a_tool_that_will_not_end_is_killed(machine: Sandbox) -> None:
    machine.without("timeout")
    machine.tool("ibstat", f"echo $$ > {machine.root}/pid; trap '' TERM; while :; do sleep 1; done")
    machine.sh(here("ibstat", limit_s=1), seconds=300)
    assert "\tstopped\t14-ibstat\t" in machine.one("00-collect-node.txt")
    assert is_gone(machine.root / "pid")


@pytest.mark.slow
def test_what_the_kernel_holds_is_left_behind(machine: Sandbox) -> None:
    machine.tool("timeout", '[ "$3" = 5 ] || [ "$4" = true ] && exit 0; exec sleep 600')  # itself does not come back
    machine.sh(here("ibstat", limit_s=1), seconds=300)
    assert "\tstopped\t14-ibstat\t" in machine.one("00-collect-node.txt")


def test_missing_and_failing_tools_are_noted(sandbox: Sandbox) -> None:
    sandbox.tool("ibstat", 'echo "ibpanic: [1] main: stat of IB device failed" >&2; exit 255')
    sandbox.tool("lscpu", "exit 3")
    sandbox.sh(here())
    files = sandbox.files()
    log = sandbox.one("00-collect-node.txt")
    assert "\tmissing\tnvidia-smi-topo\t0 s\tnvidia-smi\n" in log
    assert re.search(r"\tfailed\t14-ibstat\t\d s\texit code 255 ibpanic: \[1\] main: stat of IB device failed\n", log)
    assert re.search(r"\tfailed\t11-lscpu\t\d s\texit code 3 \n", log)
    assert "ibpanic" in sandbox.one("-ibstat.txt")
    assert not any("lscpu" in name or "nvidia" in name for name in files), "no file where nothing was said"


def test_the_log_is_read(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    sandbox.sh(here())
    (tree,) = [tree for name, tree in inspected(sandbox, capsys).items() if name.endswith("00-collect-node.txt")]
    (part,) = tree["parts"]
    assert (part["tool"], part["host"], part["problems"], tree["unread"]) == ("collect-log", "gpu-07", [], [])
    assert part["facts"]["probes"]["ibstat"] == {"outcome": "missing", "duration_s": 0, "detail": "ibstat"}


def test_nothing_is_left_behind_and_nothing_overwritten(machine: Sandbox) -> None:
    machine.sh(here("ibstat"))
    assert list((machine.root / "tmp").iterdir()) == []
    assert list((machine.root / "cwd").iterdir()) == [], "odd device names did not act"
    assert machine.archive.stat().st_mode & 0o077 == 0, "nobody else can read it"
    before = machine.archive.read_bytes()
    done = machine.sh(here("ibstat"), code=2)
    assert "there already" in done.stderr
    assert machine.archive.read_bytes() == before


def test_stopping_it_stops_what_it_runs(machine: Sandbox) -> None:
    machine.tool("ibstat", f"echo $$ > {machine.root}/pid; exec sleep 640")
    (machine.root / "collect.sh").write_text(here("ibstat"))
    running = subprocess.Popen(
        [str(machine.bin / "sh"), str(machine.root / "collect.sh"), "--to", str(machine.archive)],
        env=machine.env,
        cwd=machine.root / "cwd",
        stderr=subprocess.PIPE,
    )
    try:
        for _ in range(100):
            if (machine.root / "pid").exists() and (machine.root / "pid").read_text().strip():
                break
            with pytest.raises(subprocess.TimeoutExpired):
                running.wait(0.1)
        running.terminate()
        assert running.wait(10) == 143
    finally:
        running.kill()
        running.communicate()
    assert is_gone(machine.root / "pid")
    assert list((machine.root / "tmp").iterdir()) == []


def test_list_runs_nothing(machine: Sandbox) -> None:
    machine.tool("ibstat", f"touch {machine.root}/ran")
    done = machine.sh(here(), "--list")
    assert "ibstat" in done.stdout
    assert not (machine.root / "ran").exists()
    assert not machine.archive.exists()


@pytest.mark.parametrize("words", [["--gap", "x"], ["--gap", "0"], ["--parallel", "-1"], ["--hosts"], ["--hosts", "nowhere"], ["--what"]])
def test_wrong_options_get_a_sentence(machine: Sandbox, words: list[str]) -> None:
    assert "--help" in machine.sh(here(), *words, code=2).stderr
