"""Installs Fabric Advisor from this bundle, without network: `python3 THIS.zip [--to FOLDER]`, or `python3 FOLDER-OF-THE-BUNDLE`.

It makes an environment of its own in the folder and changes nothing else. Every file is held to its hash first.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

VERSION = "@version@"
SYSTEMS = "@systems@"
HERE = Path(__file__).parent
WORDS = {
    "python": ("Fabric Advisor needs Python 3.11 or newer; this is %s.", "Fabric Advisor 需要 Python 3.11 或更新版本；当前为 %s。"),
    "hash": ("%s is damaged: carry the bundle over again.", "%s 已损坏：请重新拷贝安装包。"),
    "there": ("%s holds something else: give another folder with --to.", "%s 中已有其他内容：请用 --to 指定其他目录。"),
    "fits": (
        "The bundle holds no packages for this system and Python (it has: %s).",
        "安装包中没有适用于本系统及 Python 版本的组件（包含：%s）。",
    ),
    "done": ("Fabric Advisor %s is installed. Start it with: %s demo", "Fabric Advisor %s 已安装。启动命令：%s demo"),
}


def say(key, *values):
    """A sentence in the language of the terminal."""
    system = next((os.environ[name] for name in ("ADVISOR_LANG", "LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return WORDS[key][system.lower().startswith("zh")] % values


def main():
    parser = argparse.ArgumentParser(prog=f"python3 {HERE.name}", description=__doc__)
    parser.add_argument("--to", type=Path, default=_default(), help="folder to install into (%(default)s)")
    parser.add_argument("--check", action="store_true", help="only hold every file to its hash")
    given = parser.parse_args()
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever runs this may have any Python
        sys.exit(say("python", sys.version.split()[0]))
    with tempfile.TemporaryDirectory() as scratch:
        wheels = _checked(Path(scratch))
        if given.check:
            return
        _install(wheels, given.to.expanduser().absolute())


def _default():
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home()), "Programs", "fabric-advisor")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share", "fabric-advisor")


def _checked(scratch):
    """The wheels, each with the bytes that SHA256SUMS says, in a folder of the disk."""
    archive = zipfile.ZipFile(HERE) if HERE.is_file() else None
    read = archive.read if archive else lambda name: (HERE / name).read_bytes()
    for line in read("SHA256SUMS").decode().splitlines():
        digest, name = line.split("  ", 1)
        data = read(name)
        if hashlib.sha256(data).hexdigest() != digest:
            sys.exit(say("hash", name))
        if name.startswith("wheels/"):
            (scratch / Path(name).name).write_bytes(data)
    return scratch


def _install(wheels, to):
    import venv

    if to.exists() and any(to.iterdir()) and not (to / "pyvenv.cfg").exists():
        sys.exit(say("there", to))
    venv.EnvBuilder(clear=True, symlinks=os.name != "nt", with_pip=False).create(to)
    folder = to / ("Scripts" if os.name == "nt" else "bin")
    # pip runs from its own wheel: systems that have Python without pip are common. It asks no index, and no settings of this machine.
    pip = next(wheels.glob("pip-*.whl"))
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    env |= {"PYTHONPATH": str(pip), "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}
    words = [
        str(folder / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-cache-dir",
        "--disable-pip-version-check",
        "--no-warn-script-location",
    ]
    done = subprocess.run([*words, "--find-links", str(wheels), f"fabric-advisor=={VERSION}"], env=env, check=False)
    if done.returncode:
        sys.exit(say("fits", SYSTEMS))
    print(say("done", VERSION, folder / "advisor"))


main()
