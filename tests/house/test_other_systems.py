"""Linux, macOS and Windows: nothing that one of them lacks is used without asking whether it is there."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "advisor").rglob("*.py"))
# Modules that Windows has not (https://docs.python.org/3/library, "Availability: Unix").
MODULES = {"fcntl", "termios", "tty", "pty", "resource", "pwd", "grp", "syslog", "posix", "crypt", "spwd", "curses", "readline"}
# Names of os, signal and time that some system has not.
NAMES = {
    "os": {
        *(
            "fork",
            "forkpty",
            "getuid",
            "geteuid",
            "getgid",
            "getegid",
            "setuid",
            "setgid",
            "chown",
            "lchown",
            "fchown",
            "fchmod",
            "mkfifo",
            "mknod",
        ),
        *("uname", "getloadavg", "nice", "killpg", "setsid", "getpgid", "setpgid", "wait", "wait3", "wait4", "WIFSIGNALED", "O_NOFOLLOW"),
        *(
            "O_NONBLOCK",
            "O_DIRECTORY",
            "O_CLOEXEC",
            "O_BINARY",
            "sched_getaffinity",
            "sysconf",
            "statvfs",
            "openpty",
            "ttyname",
            "posix_spawn",
        ),
        *("pread", "pwrite", "sendfile", "posix_fadvise", "fdatasync", "geteuid", "setpriority", "getpriority", "chroot", "sync"),
    },
    "signal": {
        "SIGKILL",
        "SIGHUP",
        "SIGUSR1",
        "SIGUSR2",
        "SIGWINCH",
        "SIGCHLD",
        "SIGALRM",
        "SIGTSTP",
        "SIGCONT",
        "SIGPIPE",
        "SIGQUIT",
        "alarm",
    }
    | {"setitimer", "pthread_sigmask", "pthread_kill", "sigwait", "SIG_BLOCK", "SIG_SETMASK", "CTRL_C_EVENT"},
    "time": {"tzset", "clock_gettime"},
}


def _uses(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            yield node, node.module
        elif isinstance(node, ast.ImportFrom) and node.module in NAMES:
            yield from ((node, f"{node.module}.{alias.name}") for alias in node.names if alias.name in NAMES[node.module])
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in NAMES.get(node.value.id, ()):
            yield node, f"{node.value.id}.{node.attr}"


def _unguarded(tree: ast.Module) -> list[str]:
    """Uses that neither a `try` with an except for what is not there, nor a question for the system, stands around or before."""
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = []
    for node, name in _uses(tree):
        around: ast.AST | None = node
        is_guarded = False
        while around is not None and not is_guarded:
            if isinstance(around, ast.Try):
                caught = " ".join(ast.unparse(handler.type) for handler in around.handlers if handler.type)
                is_guarded = any(word in caught for word in ("AttributeError", "ImportError", "ModuleNotFoundError"))
            elif isinstance(around, ast.With):
                entered = " ".join(ast.unparse(item.context_expr) for item in around.items)
                is_guarded = "suppress(" in entered and any(word in entered for word in ("(Exception)", "ImportError", "AttributeError"))
            elif isinstance(around, ast.If | ast.IfExp | ast.BoolOp):
                is_guarded = _asks(around)
            elif isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
                is_guarded = any(isinstance(step, ast.If) and _asks(step) and step.lineno < node.lineno for step in around.body)
            around = parents.get(around)
        if not is_guarded:
            found.append(f"{getattr(node, 'lineno', 0)}: {name}")
    return found


def _asks(node: ast.AST) -> bool:
    test = ast.unparse(node.test if isinstance(node, ast.If | ast.IfExp) else node)
    return any(word in test for word in ("os.name", "sys.platform", "hasattr(", "getattr("))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_of_one_system_alone(path: Path) -> None:
    assert _unguarded(ast.parse(path.read_text(encoding="utf-8"))) == []


def test_the_search_finds() -> None:
    assert _unguarded(ast.parse("import fcntl\nimport os\nos.fork()")) == ["1: fcntl", "3: os.fork"]
    assert _unguarded(ast.parse("import os\nif hasattr(os, 'fork'):\n    os.fork()\n")) == []
    assert _unguarded(ast.parse("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None\n")) == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_texts_are_opened_in_utf_8(path: Path) -> None:
    """Windows' own encoding is another one, and would break Chinese."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("read_text", "write_text"):
            found += [node.lineno] if not any(word.arg == "encoding" for word in node.keywords) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            mode = next((word.value for word in node.keywords if word.arg == "mode"), node.args[1] if len(node.args) > 1 else None)
            is_bytes = isinstance(mode, ast.Constant) and "b" in str(mode.value)
            found += [node.lineno] if not is_bytes and not any(word.arg == "encoding" for word in node.keywords) else []
    assert found == []
