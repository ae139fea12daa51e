"""The script over many machines: ssh, Slurm and Kubernetes with fake launchers that run what they are given."""

import json
import re
import sys
from pathlib import Path

import pytest
from conftest import GOLDEN, Sandbox, golden

from advisor.cli import run
from advisor.usecases.collect import chosen, read_hosts, script

HOSTILE = (
    *("$(touch pwned1)", "`touch pwned2`", "x;touch pwned3", "-oProxyCommand=touch pwned4", "a|touch pwned5", "a&touch pwned6"),
    *("a'b", 'a"b', "*", "../up", "\x1b[31mred", "-l", "@", "gpu-07:$IFS", "END_OF_TEXT;"),
)
# A launcher's end: runs `sh -c COMMAND` as that machine. What it was given is written down.
RUNS = """printf '%s|' "$@" >> "$HOME/calls"; echo >> "$HOME/calls"
FAKE_HOST=$host; export FAKE_HOST
"""
SSH = (
    """while [ "$1" != -- ]; do shift; done
host=${2#*@}
"""
    + RUNS
    + """case $host in
  gpu-09) echo "ssh: connect to host gpu-09 port 22: Connection timed out" >&2; exit 255 ;;
  gpu-10) echo "welcome to a chatty machine" ;;
  gpu-11) echo advisor-archive-follows; echo "this is no archive"; exit 0 ;;
  leaf-1) case $3 in "show pfc counters") cat "$HOME/pfc" ;; *) exit 1 ;; esac; exit ;;
esac
exec sh -c "$3"
"""
)


@pytest.fixture
def fleet(sandbox: Sandbox) -> Sandbox:
    sandbox.prints("ibstat", {"*": golden("ibstat/01-hdr-cards-at-100.txt")})
    sandbox.prints("ibnetdiscover", {"*": golden("ibnetdiscover/01-three-tier-hdr-with-aggregation-node.txt")})
    sandbox.tool("ssh", SSH)
    (sandbox.root / "pfc").write_text(golden("sonic/" + next(p.name for p in sorted((GOLDEN / "sonic").iterdir()) if p.suffix == ".txt")))
    return sandbox


def made(way: str, *ids: str, hosts: tuple[str, ...] = ()) -> str:
    return script(way, [step for step in chosen(way) if step.id in ids], "en", hosts, 1)  # type: ignore[arg-type]


def hosts_of(sandbox: Sandbox, probe: str) -> set[str]:
    return {name.split("/")[0] for name in sandbox.files() if name.endswith(f"-{probe}.txt")}


def test_ssh_reaches_each_host_and_notes_the_rest(fleet: Sandbox) -> None:
    hosts = ("gpu-07", "root@gpu-08", "gpu-09", "gpu-10", "gpu-11", "gpu-07", "leaf-1 sonic", "leaf-2 sonik", "")
    done = fleet.sh(made("ssh", "ibstat", "sonic-pfc", hosts=hosts), "--parallel", "3")
    assert hosts_of(fleet, "ibstat") == {"gpu-07", "gpu-08", "gpu-10"}
    assert hosts_of(fleet, "sonic-pfc") == {"leaf-1"}
    log = fleet.one("00-collect-head.txt")
    assert log.count("\treached\t") == 4
    assert re.search(r"\tnot-reached\tgpu-09\t\d s\tssh: connect to host gpu-09 port 22: Connection timed out\n", log)
    assert re.search(r"\tnot-reached\tgpu-11\t\d s\tno archive came back, exit code 0\n", log)
    assert re.search(r"\tnot-reached\tleaf-2\t\d s\tno such kind of machine\n", log)
    assert "gpu-09: not reached: ssh: connect to host gpu-09" in done.stderr
    assert "4 of 7 machines answered." in done.stderr
    calls = (fleet.root / "calls").read_text().splitlines()
    assert sum("gpu-07" in call for call in calls) == 1, "each host once"
    assert all("BatchMode" not in call for call in calls), "options stand before the --"


def test_ssh_runs_without_questions(fleet: Sandbox) -> None:
    text = made("ssh", "ibstat", hosts=("gpu-07",))
    (line,) = [line for line in text.splitlines() if " sh -s " in line or "sh -s -- --node" in line]
    assert "-o BatchMode=yes" in line
    assert "-o ConnectTimeout=10" in line


def test_two_takes_of_a_switch(fleet: Sandbox) -> None:
    fleet.sh(made("ssh", "sonic-pfc", hosts=("leaf-1 sonic",)))
    texts = [text for name, text in sorted(fleet.files().items()) if name.endswith("sonic-pfc.txt")]
    assert len(texts) == 2
    assert texts[0] != texts[1], "the stamps differ"
    assert "admin@leaf-1:~# show pfc counters" in texts[0].splitlines()[0]


def test_a_switch_that_is_away_costs_one_attempt(fleet: Sandbox) -> None:
    fleet.tool("ssh", 'echo "$*" >> "$HOME/calls"; echo "ssh: no route" >&2; exit 255')
    ids = [step.id for step in chosen("ssh") if "sonic" in step.probe.on]
    fleet.sh(made("ssh", *ids, hosts=("leaf-1 sonic",)))
    assert len((fleet.root / "calls").read_text().splitlines()) == 1
    assert "\tnot-reached\tleaf-1\t" in fleet.one("00-collect-head.txt")


def test_hostile_names_never_act(fleet: Sandbox) -> None:
    path = fleet.root / "hosts"
    path.write_text("\n".join(["# a remark", *HOSTILE, "  gpu-07  # good", ""]), encoding="utf-8")
    lines, odd = read_hosts(path)
    assert len(odd) == len(HOSTILE)
    done = fleet.sh(made("ssh", "ibstat", hosts=lines))
    assert hosts_of(fleet, "ibstat") == {"gpu-07"}
    assert len((fleet.root / "calls").read_text().splitlines()) == 1, "only the one good name was called"
    assert "\x1b" not in done.stderr + done.stdout
    fleet.archive.unlink()
    again = fleet.sh(made("ssh", "ibstat"), "--hosts", str(path))
    assert hosts_of(fleet, "ibstat") == {"gpu-07"}
    assert len((fleet.root / "calls").read_text().splitlines()) == 2
    assert "\x1b" not in again.stderr
    assert not list(fleet.root.rglob("pwned*"))
    assert "not a host name" in fleet.one("00-collect-head.txt")


def test_a_lying_host_cannot_write_elsewhere(fleet: Sandbox) -> None:
    (fleet.root / "evil.py").write_text(
        "import io, sys, tarfile\n"
        "out = tarfile.open(fileobj=sys.stdout.buffer, mode='w|gz')\n"
        "def add(name, **keys):\n"
        "    info = tarfile.TarInfo(name)\n"
        "    info.size = 3\n"
        "    for key, value in keys.items(): setattr(info, key, value)\n"
        "    out.addfile(info, io.BytesIO(b'abc') if info.isreg() else None)\n"
        "kind = sys.argv[1]\n"
        "if kind == 'up': add('../../pwned')\n"
        "if kind == 'link': add('h/20260101T000000Z/01-x.txt', type=tarfile.SYMTYPE, linkname='/etc/passwd', size=0)\n"
        "if kind == 'name': add('h/20260101T000000Z/01-$(touch pwned).txt')\n"
        "out.close()\n"
    )
    body = f'host=$(echo "$*" | sed "s/.* -- //;s/ .*//"); echo advisor-archive-follows; exec {sys.executable} {fleet.root}/evil.py "$host"'
    fleet.tool("ssh", body)
    fleet.sh(made("ssh", "ibstat", hosts=("up", "link", "name")))
    assert {name.rpartition("/")[2] for name in fleet.files()} == {"00-collect-head.txt"}
    assert fleet.one("00-collect-head.txt").count("\tnot-reached\t") == 3
    assert not list(fleet.root.rglob("pwned*"))


def test_two_machines_of_one_name_stay_apart(fleet: Sandbox) -> None:
    fleet.tool("ssh", SSH.replace("FAKE_HOST=$host", "FAKE_HOST=clone-1"))
    done = fleet.sh(made("ssh", "ibstat", hosts=("10.0.0.1", "10.0.0.2")))
    assert hosts_of(fleet, "ibstat") == {"clone-1", "10.0.0.2"}
    (text,) = [text for name, text in fleet.files().items() if name.startswith("10.0.0.2/") and "ibstat" in name]
    assert "@10.0.0.2:~# ibstat" in text.splitlines()[0]
    assert "both call themselves clone-1" in done.stderr


def test_the_fabric_is_asked_once(fleet: Sandbox) -> None:
    fleet.sh(made("ssh", "ibstat", "ibnetdiscover", hosts=("gpu-09", "gpu-07", "gpu-08")))
    assert len(hosts_of(fleet, "ibnetdiscover")) == 1


def test_lanes_are_bounded(fleet: Sandbox) -> None:
    body = """host=x
n=$(ls "$HOME/now" | wc -l); echo "$n" >> "$HOME/most"; : > "$HOME/now/$$"; sleep 0.4; rm "$HOME/now/$$"; exit 255"""
    (fleet.root / "now").mkdir()
    (fleet.bin / "ls").symlink_to("/bin/ls")
    fleet.tool("ssh", body)
    fleet.sh(made("ssh", "ibstat", hosts=tuple(f"gpu-{i}" for i in range(9))), "--parallel", "3")
    assert max(int(line) for line in (fleet.root / "most").read_text().split()) <= 2, "others at work when one starts"
    assert fleet.one("00-collect-head.txt").count("\tnot-reached\t") == 9


SRUN = (
    """for word in "$@"; do case $word in --nodelist=*) host=${word#*=} ;; esac; done
"""
    + RUNS
    + """case $host in gpu-09) echo "srun: error: Unable to allocate resources: Requested nodes are busy" >&2; exit 1 ;; esac
while [ "$1" != sh ]; do shift; done
exec "$@"
"""
)


@pytest.fixture
def slurm(fleet: Sandbox) -> Sandbox:
    fleet.prints(
        "scontrol",
        {
            "'show topology'": golden("slurm-topology/03-scontrol-show-topology-hash-names.txt"),
            "'show node'": golden("slurm-node/01-three-gpu-nodes-mixed.txt"),
            "'show job'": golden("slurm-job/01-show-job-head-lost-two-nodes.txt"),
            "'show hostnames gpu-[07-08]'": "gpu-07\ngpu-08\n",
        },
    )
    fleet.prints("sinfo", {"'-h -N -p hall -o %N'": "gpu-07\ngpu-09\ngpu-07\n"})
    fleet.prints("squeue", {"'-h -j 4711 -o %N'": "gpu-[07-08]\n"})
    fleet.tool("srun", SRUN)
    return fleet


def test_slurm_asks_the_scheduler_and_the_nodes_of_a_partition(slurm: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    slurm.sh(made("slurm", "ibstat", "slurm-topology", "slurm-node", "slurm-job"), "--partition", "hall", "--gres", "gpu:8")
    assert hosts_of(slurm, "ibstat") == {"gpu-07"}
    log = slurm.one("00-collect-head.txt")
    assert re.search(r"\tnot-reached\tgpu-09\t\d s\tsrun: error: Unable to allocate resources: Requested nodes are busy\n", log)
    calls = (slurm.root / "calls").read_text()
    assert "--partition=hall|" in calls
    assert "--gres=gpu:8|" in calls
    tools = _tools(slurm, capsys)
    assert {"slurm-topology", "slurm-node", "slurm-job", "ibstat", "collect-log"} <= tools


def test_slurm_goes_into_a_job_beside_its_steps(slurm: Sandbox) -> None:
    slurm.sh(made("slurm", "ibstat"), "--job", "4711")
    assert hosts_of(slurm, "ibstat") == {"gpu-07", "gpu-08"}
    assert "--jobid=4711|--overlap|" in (slurm.root / "calls").read_text()


def test_slurm_without_nodes_asks_only_the_scheduler(slurm: Sandbox) -> None:
    done = slurm.sh(made("slurm", "ibstat", "slurm-node"))
    assert hosts_of(slurm, "slurm-node") == {"gpu-07"}
    assert not hosts_of(slurm, "ibstat")
    assert "only the scheduler was asked" in done.stderr


KUBECTL = (
    """case "$*" in
  "get nodes -o wide") printf 'NAME     STATUS   ROLES    AGE   VERSION\\ngpu-07   Ready    <none>   9d    v1.29.1\\n' ;;
  "describe nodes") cat "$HOME/describe" ;;
  "get pods -A -o wide") cat "$HOME/pods" ;;
  "get events -A") echo "No resources found" >&2 ;;
  "get topologies.kueue.x-k8s.io -o yaml") cat "$HOME/topology" ;;
  "get hypernodes.topology.volcano.sh -o yaml") echo "error: the server doesn't have a resource type \\"hypernodes\\"" >&2; exit 1 ;;
  "get pods -n tools -o jsonpath="*'=="probe")'*) cat "$HOME/found" ;;
  "exec -i -n tools probe-"*)
    host=pod-name
"""
    + RUNS
    + """    case $* in *"chroot /host"*) ;; *) exit 9 ;; esac
    while [ "$1" != sh ]; do shift; done
    exec "$@" ;;
  *) echo "$*" >> "$HOME/strange"; exit 1 ;;
esac
"""
)


@pytest.fixture
def kubernetes(fleet: Sandbox) -> Sandbox:
    fleet.tool("kubectl", KUBECTL)
    (fleet.root / "found").write_text("gpu-07.prod.local probe-abc\ngpu-08 probe-def\nx$(touch pwned) p\ngpu-09 -p\n")
    (fleet.root / "describe").write_text(golden("kubectl-describe-node/01-hami-gpu-times-ten.txt"))
    (fleet.root / "pods").write_text(golden("kubectl-get/01-pods-wide-4-workers-2-nodes.txt"))
    (fleet.root / "topology").write_text(golden("k8s-topology/01-kueue-topology-four-levels.yaml"))
    return fleet


def test_kubernetes_asks_the_api_alone(kubernetes: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    ids = [step.id for step in chosen("kubernetes", ["scheduling"])]
    done = kubernetes.sh(made("kubernetes", *ids))
    assert not (kubernetes.root / "strange").exists()
    assert "only the API was asked" in done.stderr
    assert {"kubectl-get", "kubectl-describe-node", "k8s-topology", "collect-log"} == _tools(kubernetes, capsys)
    assert not hosts_of(kubernetes, "k8s-topology-volcano"), "a topology that is not installed leaves no file"
    assert "resource type" in kubernetes.one("00-collect-head.txt")


def test_kubernetes_reaches_nodes_through_the_pods_of_a_daemonset(kubernetes: Sandbox) -> None:
    kubernetes.sh(made("kubernetes", "ibstat"), "--daemonset", "tools/probe", "--chroot", "/host")
    assert hosts_of(kubernetes, "ibstat") == {"gpu-07.prod.local", "gpu-08"}, "by node, not by pod"
    assert not list(kubernetes.root.rglob("pwned*"))
    assert not (kubernetes.root / "strange").exists()


@pytest.mark.parametrize("name", ["probe", "a/b/c", "/x", "x/", "ns/$(id)", 'ns/a"b'])
def test_a_daemonset_is_named_with_its_namespace(kubernetes: Sandbox, name: str) -> None:
    assert "--help" in kubernetes.sh(made("kubernetes", "ibstat"), "--daemonset", name, code=2).stderr


def _tools(sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> set[str]:
    capsys.readouterr()
    assert run(["inspect", str(sandbox.archive), "--json"]) == 0
    trees = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert all(Path(tree["file"]).name for tree in trees)
    return {part["tool"] for tree in trees for part in tree["parts"]}
