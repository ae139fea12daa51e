"""`python -m scripts.try_bundle BUNDLE.zip [PYTHON ...]`: installs a bundle without network and packages, and asks it for a verdict.

No network: a network namespace of its own (`unshare --net`) where the system lets us, and an index that nobody serves in any case. No
packages: an empty home, an empty environment, an environment of its own; as root on Linux a root folder of its own, too, that holds
nothing but the bundle, a bare Python and the system's libraries.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CLOSED = "http://127.0.0.1:9/simple"
_SYSTEM = ("bin", "sbin", "lib", "lib64", "usr/bin", "usr/sbin", "usr/lib", "usr/lib64")


def tried(bundle: Path, python: Path, folder: Path) -> dict[str, object]:
    """What the installed program says of its example; raises CalledProcessError where a step fails."""
    env = {"HOME": str(folder / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PIP_INDEX_URL": CLOSED, "PIP_EXTRA_INDEX_URL": CLOSED}
    cut = _cut_off()
    (folder / "home").mkdir(parents=True)
    to = folder / "installed"
    _run([*cut, str(python), "-I", str(bundle), "--to", str(to)], env)
    advisor = to / ("Scripts" if os.name == "nt" else "bin") / "advisor"
    said = json.loads(_run([*cut, str(advisor), "demo", "--json"], env))
    _run([*cut, str(advisor), "import", str(folder / "hall.advisor"), _example(advisor, env, cut)], env)
    for form in ("html", "pdf", "xlsx", "md"):
        _run([*cut, str(advisor), "report", str(folder / "hall.advisor"), "--to", str(folder / f"report.{form}")], env)
    return {"verdict": said["diagnosis"]["verdict"], "network": "cut off" if cut else "index closed", "python": _version(python)}


def in_a_root(bundle: Path, python: Path, folder: Path) -> str:
    """The same in a root folder that holds a bare Python: its own tree without packages, and the system's libraries, nothing written to."""
    base = Path(
        subprocess.run([python, "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True, check=True).stdout.strip()
    )
    root = folder / "root"
    for name in ("tmp", "dev", "home", *(str(base).lstrip("/"),), *_SYSTEM):
        if not (root / name).exists():
            (root / name).mkdir(parents=True)
    shutil.copy(bundle, root / "home" / "bundle.zip")
    binds = [f"mount --rbind /{name} {root / name}" for name in _SYSTEM if Path("/", name).exists() and not Path("/", name).is_symlink()]
    links = [
        f"rmdir {root / name} && ln -s {os.readlink(Path('/', name))} {root / name}" for name in _SYSTEM if Path("/", name).is_symlink()
    ]
    bare = base / "lib" / f"python{_version(python)}" / "site-packages"
    steps = [
        *links,
        *binds,
        f"mount --rbind {base} {root}{base}",
        f"mount -t tmpfs none {root}{bare}",  # no package, not even pip
        f"touch {root}/dev/null && mount --bind /dev/null {root}/dev/null",
        f"touch {root}/dev/urandom && mount --bind /dev/urandom {root}/dev/urandom",
        f"exec env -i HOME=/home PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 PIP_INDEX_URL={CLOSED} chroot {root} /bin/sh -c "
        f"'{base}/bin/python3 /home/bundle.zip --to /home/fa >&2 && cd /home && /home/fa/bin/advisor demo --json'",
    ]
    said = _run(["unshare", "--net", "--mount", "/bin/sh", "-ec", "\n".join(steps)], dict(os.environ))
    return str(json.loads(said)["diagnosis"]["verdict"])


def can_root() -> bool:
    return sys.platform == "linux" and os.geteuid() == 0 and _works(["unshare", "--net", "--mount", "true"])


def _cut_off() -> list[str]:
    return ["unshare", "--net"] if sys.platform == "linux" and _works(["unshare", "--net", "true"]) else []


def _works(words: list[str]) -> bool:
    return shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0


def _example(advisor: Path, env: dict[str, str], cut: list[str]) -> str:
    python = str(advisor.with_name("python"))
    return _run([*cut, python, "-c", "from advisor.usecases.assess import example; print(example())"], env).strip()


def _version(python: Path) -> str:
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def _run(words: list[str], env: dict[str, str]) -> str:
    done = subprocess.run(words, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, words, done.stdout, (done.stdout + done.stderr)[-3000:])
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.try_bundle", description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("pythons", type=Path, nargs="*", default=[Path(getattr(sys, "_base_executable", sys.executable))])
    given = parser.parse_args()
    try:
        for python in given.pythons:
            with tempfile.TemporaryDirectory() as folder:
                print(json.dumps(tried(given.bundle.resolve(), python, Path(folder))), flush=True)
        if can_root():
            with tempfile.TemporaryDirectory() as folder:
                print(f"in a root of its own: {in_a_root(given.bundle.resolve(), given.pythons[0], Path(folder))}")
    except subprocess.CalledProcessError as error:
        print(f"{error}\n{error.stderr}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
