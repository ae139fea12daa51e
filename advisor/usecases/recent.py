"""The assessments that were opened last, for the start screen. The list is a convenience: a list that cannot be read is empty."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from advisor.base.files import write_whole
from advisor.base.places import user_state

_MOST = 20


@dataclass(frozen=True, slots=True)
class Recent:
    """One assessment: where it is, when it was opened, and what it said then."""

    path: str
    name: str
    opened: str
    verdict: str = ""
    confidence: float | None = None
    size: int = 0


def _file() -> Path:
    return user_state() / "recent.json"


def recent() -> list[Recent]:
    """The last assessments that are still there, newest first."""
    try:
        entries = [Recent(**entry) for entry in json.loads(_file().read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError):
        return []
    return [entry for entry in entries if Path(entry.path).is_file()]


def remember(path: Path, verdict: str = "", confidence: float | None = None) -> None:
    """Put an assessment at the top of the list. A state folder that cannot be written costs only the list."""
    place = path.resolve()
    kept = [entry for entry in recent() if entry.path != str(place)]
    old = next((entry for entry in recent() if entry.path == str(place)), None)
    try:
        size = place.stat().st_size
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        entry = Recent(
            path=str(place),
            name=place.stem,
            opened=now,
            verdict=verdict or (old.verdict if old else ""),
            confidence=confidence if verdict else (old.confidence if old else None),
            size=size,
        )
        write_whole(_file(), json.dumps([asdict(e) for e in [entry, *kept][:_MOST]], ensure_ascii=False))
    except OSError:
        return
