"""The recipe and the command that turns it into a script."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from advisor.base.text import LANGS, Lang, catalogue, say
from advisor.cli import run
from advisor.readers._runs import tool_of
from advisor.usecases.collect import WAYS, Way, chosen, layers, script, steps

Capsys = pytest.CaptureFixture[str]
# Every program that a probe may run: they read. What would make one of them write stands in WRITES.
READERS = {
    *(
        "nvidia-smi",
        "rocm-smi",
        "curl",
        "lspci",
        "numactl",
        "lscpu",
        "printenv",
        "grep",
        "sort",
        "cat",
        "ibstat",
        "ibdev2netdev",
        "show_gids",
    ),
    *(
        "ibv_devinfo",
        "mlxlink",
        "ethtool",
        "ibnetdiscover",
        "iblinkinfo",
        "ibqueryerrors",
        "mlnx_qos",
        "scontrol",
        "kubectl",
        "show",
        "display",
    ),
    "nv",
}
WRITES = re.compile(
    r"\b(?:set|reset|clear|delete|apply|create|edit|patch|update|drain|cordon|exec|run|cp|reboot|config\w*|secrets?|configmaps?)\b|"
    r"(?:^| )(?:-[wWKLsrX]|--(?:reset|set|clear|write|output|data=|pfc|trust|port_state))(?= |$)|[>;&`]|\$\("
)


def _commands(run: str) -> list[str]:
    return [piece.strip() for piece in re.sub(r"'[^']*'", "''", run).split(" | ")]


@pytest.mark.parametrize("step", steps(), ids=lambda step: step.id)
def test_a_probe_only_reads(step) -> None:  # type: ignore[no-untyped-def]
    reading_options = {"nvidia-smi nvlink -s", "nvidia-smi dmon -s put -c 5"}
    for command in _commands(step.probe.run):
        assert command.split()[0] in READERS, command
        assert command in reading_options or command.startswith(("grep -rs", "curl -s -m")) or not WRITES.search(command), command
        assert not command.startswith("kubectl") or command.split()[1] in ("get", "describe")
        assert not command.startswith("scontrol") or command.split()[1] == "show"
        assert not command.startswith("nv ") or command.split()[1] == "show"
    assert 0 < step.probe.limit_s <= 600
    assert step.probe.en
    assert step.probe.zh


@pytest.mark.parametrize("step", [step for step in steps() if step.probe.where != "switch"], ids=lambda step: step.id)
def test_a_reader_knows_the_command(step) -> None:  # type: ignore[no-untyped-def]
    """So that an import recognises the file by its first line, whatever the tool prints."""
    command = re.sub(
        r"\{(\w+)\}", lambda m: {"infiniband": "/sys/class/infiniband", "root": "", "number": "1"}.get(m[1], "mlx5_0"), step.probe.run
    )
    known = tool_of(command)
    assert known, command
    others = {"nccl-conf": "environment", "kubectl-get-nodes": "kubectl-get", "k8s-topology-kueue": "k8s-topology"}
    assert known[0].tool == others.get(step.id, known[0].tool)
    assert step.id in others or step.id.startswith(known[0].tool)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("way", WAYS)
def test_shells_and_shellcheck_take_the_script(way: Way, lang: Lang, tmp_path: Path) -> None:
    hosts = () if way == "kubernetes" else ("gpu-07", "$(id)'", 'a"b`id`', "leaf-1 sonic")
    path = tmp_path / "collect.sh"
    path.write_text(script(way, chosen(way), lang, hosts), encoding="utf-8")
    for shell in ("dash", "bash --posix", "busybox sh"):
        if shutil.which(shell.split()[0]):
            subprocess.run([*shell.split(), "-n", str(path)], check=True)
    if shutil.which("shellcheck"):
        done = subprocess.run(["shellcheck", "-s", "sh", str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
    assert "{{" not in path.read_text(encoding="utf-8")
    assert "@@" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("way", WAYS)
def test_each_language_is_whole(way: Way) -> None:
    zh = script(way, chosen(way), "zh")
    remarks = [line for line in zh.splitlines() if re.match(r"\s*# ", line) and "shellcheck" not in line]
    assert remarks
    assert all(re.search(r"[\u4e00-\u9fff]", line) or "SITE" in line for line in remarks)
    assert not re.search(r"[\u4e00-\u9fff]", script(way, chosen(way), "en"))


def test_words_fit_the_script() -> None:
    for key, text in catalogue().items():
        if key.startswith("collect.script."):
            assert text.en.count("%s") == text.zh.count("%s"), key
            assert "\n" not in text.en + text.zh, key
            assert "%" not in text.en.replace("%s", ""), key


def test_layers_choose(capsys: Capsys) -> None:
    assert {step.id for step in chosen("ssh", ["storage"])} >= {"ethtool-S", "ethtool", "proc-net-bonding"}
    assert all("scheduling" not in step.probe.layers for step in chosen("slurm", ["node", "fabric"]))
    assert not {"slurm-node", "ibstat"} & {step.id for step in chosen("kubernetes", ["scheduling"])}
    assert run(["collect", "--for", "slurm", "--what", "scheduling, host-software", "--list"]) == 0
    out = capsys.readouterr().out
    assert "scontrol show topology" in out
    assert "ibstat" not in out
    for layer in layers():
        assert layer in say("cli.collect.what", "en")
        assert layer in say("cli.collect.what", "zh")


def test_the_script_goes_to_stdout_and_the_plan_to_stderr(capsys: Capsys) -> None:
    assert run(["collect", "--for", "ssh", "--lang", "zh", "--gap", "5"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("#!/bin/sh\n")
    assert "\ngap=5\n" in said.out
    assert "nvidia-smi topo -m" in said.err
    assert "间隔 5 秒" in said.err


def test_a_file_is_written_whole_and_can_be_run(tmp_path: Path, capsys: Capsys) -> None:
    hosts, to = tmp_path / "hosts", tmp_path / "collect.sh"
    hosts.write_text("gpu-07\n\n# spare\n$(id) # odd\r\ngpu-08\r\n", encoding="utf-8")
    assert run(["collect", "--for", "ssh", "--hosts", str(hosts), "--to", str(to)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{hosts}:4: $(id) is no host name" in said.err
    assert to.stat().st_mode & 0o100
    assert "\nhosts='gpu-07\n??id?\ngpu-08'\n" in to.read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--for", "telnet"], "--help"),
        ([], "--help"),
        (["--for", "ssh", "--what", "nodes"], "There is no layer nodes"),
        (["--for", "ssh", "--gap", "0"], "1 to 86400"),
        (["--for", "ssh", "--hosts", "nowhere"], "nowhere cannot be read"),
        (["--for", "ssh", "--to", "/nowhere/at/all.sh"], "cannot be written"),
    ],
)
def test_bad_words_get_a_sentence(words: list[str], said: str, capsys: Capsys) -> None:
    assert run(["collect", *words]) == 2
    assert said in capsys.readouterr().err


def test_kubernetes_needs_no_list(tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "hosts").write_text("gpu-07\n")
    assert run(["collect", "--for", "kubernetes", "--hosts", str(tmp_path / "hosts")]) == 2
    assert "DaemonSet" in capsys.readouterr().err
