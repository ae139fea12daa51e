"""The details of what broke inside, for whoever mends it: the calls, never the values, as those are a customer's."""

import os
import traceback
from pathlib import Path

from advisor.base.files import make_folder
from advisor.base.places import user_state


def kept(error: BaseException | None) -> Path | str:
    """The file that the details stand in, or the details themselves where no file could be written."""
    text = "".join(traceback.format_exception(error)) if error else ""
    place = user_state() / "crash.txt"
    try:
        make_folder(place.parent)
        with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        return text
    return place
