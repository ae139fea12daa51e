"""Prompts of shells and switches, titles, and the command behind launchers."""

import pytest

from advisor.capture.prompt import Prompt, aimed, called, hint, is_host, prompt, repeats, title, titled, words


@pytest.mark.parametrize(
    ("line", "host", "command"),
    [
        ("root@gpu-07:~# ethtool -S eth0", "gpu-07", "ethtool -S eth0"),
        ("root@gpu-07:~#ethtool -S eth0", "gpu-07", "ethtool -S eth0"),
        ("(base) user@h1:/data/x$ ls", "h1", "ls"),
        ("user@host ~ % ls", "host", "ls"),
        ("user@host ~> ls", "host", "ls"),
        ("user@host:~/nccl (main) $ ls", "host", "ls"),
        ("[root@node1 network-scripts]# ethtool bond0", "node1", "ethtool bond0"),
        ("[user@srv01-1 mpi]$ sudo mlnx_qos -i ens2f0", "srv01-1", "sudo mlnx_qos -i ens2f0"),
        ("[10:20:33] root@h2:~$ ibstat", "h2", "ibstat"),
        ("10:20:33 root@h2:~$ ibstat", "h2", "ibstat"),
        ("root@ubuntu:~# ", "ubuntu", ""),
        ("cumulus@switch:mgmt:~$ nv show interface", "switch", "nv show interface"),
        ("admin@leaf1> show interfaces", "leaf1", "show interfaces"),
        ("<HUAWEI> display interface", "HUAWEI", "display interface"),
        ("[~HUAWEI-100GE1/0/1] display this", "HUAWEI", "display this"),
        ("[~DeviceB] display x", "DeviceB", "display x"),
        ("leaf1(config-if-Et1)#show interfaces", "leaf1", "show interfaces"),
        ("switch# show queuing", "switch", "show queuing"),
        ("sw-1 [standalone: master] > show interfaces", "sw-1", "show interfaces"),
        ("RP/0/RP0/CPU0:router#show version", "router", "show version"),
        ("[nccl-tests]$ ./build/all_reduce_perf", None, "./build/all_reduce_perf"),
        ("$ ibstat", None, "ibstat"),
        ("➜  nccl-tests git:(master) ✗ ./all_reduce_perf", None, "./all_reduce_perf"),
        ("┌──(root㉿kali)-[~]", "kali", ""),
        ("└─# ibstat", None, "ibstat"),
    ],
)
def test_prompts(line: str, host: str | None, command: str) -> None:
    assert prompt(line) == Prompt(host, command)


@pytest.mark.parametrize(
    "line",
    [
        "[1,0]<stdout>:# Avg bus bandwidth    : 52.9753",
        "host-1:523:564 [0] NCCL INFO Channel 00/0 : 9[1] -> 0[0] [receive] via NET/IB/0",
        '[22]\t"S-02f0de01002ffe9f"[39]\t\t# "MF0;IB-Spine-02:MQM8700/U1" lid 183 4xHDR',
        "# nThread 1 nGpus 8",
        "     rx_packets: 5",
        "tc: 0 ratelimit: unlimited, tsa: ets, bw: 9%",
        "<topology>",
    ],
)
def test_no_prompts(line: str) -> None:
    assert prompt(line) is None


@pytest.mark.parametrize(
    ("line", "host", "command"),
    [
        ("# ethtool -S eth0", None, "ethtool -S eth0"),
        ("#mlxlink -d mlx5_0", None, "mlxlink -d mlx5_0"),
        ("+ ibstat", None, "ibstat"),
        ("bash-4.2# ibstat", None, "ibstat"),
        ("gpu-07:~ # ibstat", "gpu-07", "ibstat"),
        ("gpu-07% ibstat", "gpu-07", "ibstat"),
        ("[user@gpu-07 ~] ibstat", "gpu-07", "ibstat"),
        ("PS C:\\Users> ibstat", None, "ibstat"),
        ("`ibstat`:", None, "ibstat"),
        ("Command: ethtool -S eth0", None, "ethtool -S eth0"),
        ("执行:ibstat", None, "ibstat"),
    ],
)
def test_what_may_be_a_prompt(line: str, host: str | None, command: str) -> None:
    assert hint(line) == Prompt(host, command)


@pytest.mark.parametrize(
    ("line", "host", "rest"),
    [
        ("=== gpu-07 ===", "gpu-07", ""),
        ("##### node: gpu01 #####", "gpu01", ""),
        ("--- gpu-07: ethtool -S eth0 ---", "gpu-07", "ethtool -S eth0"),
        ("=== ibstat on gpu-07 ===", "gpu-07", "ibstat"),
        ("*** 10.0.0.5 ***", "10.0.0.5", ""),
        ("【节点 gpu-07 的 ibstat 结果】", "gpu-07", "ibstat"),
    ],
)
def test_titles_that_name_a_host(line: str, host: str, rest: str) -> None:
    text = title(line)
    assert text is not None
    assert titled(text) == Prompt(host, rest)


@pytest.mark.parametrize(
    "line",
    ["=== mlx5_0 FEC Counters ===", "=== GPU 0 NVLink Errors ===", "== eth0 ==", "=== before ===", "=== GPU0 ===", "---- run 2 ----"],
)
def test_titles_that_name_no_host(line: str) -> None:
    text = title(line)
    assert text is not None
    assert titled(text) is None


def test_rules_are_no_titles() -> None:
    assert title("-" * 40) is None
    assert title("---------- ----------") is None


def test_reports_of_launchers() -> None:
    assert called("gpu-07 | CHANGED | rc=0 >>") == "gpu-07"
    assert called("[1] 10:20:30 [SUCCESS] gpu-07") == "gpu-07"
    assert called("rx | 5") is None


@pytest.mark.parametrize(
    ("command", "bare"),
    [
        ("sudo -u root ethtool -S eth0", "ethtool -S eth0"),
        ("LANG=C numactl --hardware", "numactl --hardware"),
        ("numactl -N 0 -m 0 ib_write_bw -d mlx5_0", "ib_write_bw -d mlx5_0"),
        ("numactl -H", "numactl -H"),
        ("CUDA_VISIBLE_DEVICES=0,1 ./build/all_reduce_perf -b 8", "all_reduce_perf -b 8"),
        ("watch -n 1 ethtool -S eth0", "ethtool -S eth0"),
        ("time /usr/sbin/ibstat", "ibstat"),
        ("ip netns exec blue ethtool eth0", "ethtool eth0"),
        ("kubectl exec -it pod-1 -- nvidia-smi topo -m", "nvidia-smi topo -m"),
        ("chroot /host ethtool -i eth0", "ethtool -i eth0"),
    ],
)
def test_words(command: str, bare: str) -> None:
    assert words(command) == bare


@pytest.mark.parametrize(
    ("command", "host"),
    [
        ("ssh root@gpu-07 ibstat", "gpu-07"),
        ("ssh -o StrictHostKeyChecking=no gpu-08 sudo ibstat", "gpu-08"),
        ("kubectl -n mpi exec -it worker-0 -- ibstat", "worker-0"),
        ("srun -N1 -w gpu-09 ibstat", "gpu-09"),
        ("ibstat mlx5_0", None),
    ],
)
def test_where_a_launcher_sends_a_command(command: str, host: str | None) -> None:
    assert aimed(command) == host


def test_names_of_machines() -> None:
    assert all(is_host(word) for word in ("gpu-07", "node1", "worker-a1b2c", "dgx01.dc1.example", "10.1.2.3", "gpu[01-04]"))
    assert not any(
        is_host(word) for word in ("mlx5_0", "eth0", "GPU0", "rank0", "ens1f0", "v2.1", "before", "100GE1", "2026-04-10", "100G")
    )


def test_loops_and_launchers_repeat() -> None:
    assert repeats("for h in a b; do ssh $h ibstat; done")
    assert not repeats("ibstat mlx5_0")


def test_long_lines_take_no_time() -> None:
    for unit in ("a@b", "x", "[", "<a", "# ", "a:", "(", "=" * 3 + " a "):
        text = unit * (1_000_000 // len(unit))
        assert prompt(text) is None
        assert title(text) is None
        assert hint(text) is None
