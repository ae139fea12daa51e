import argparse

import pytest

from advisor.__main__ import COMMANDS, opens_screens
from advisor.cli.parser import parser


@pytest.mark.parametrize(
    ("words", "opens"),
    [
        ("", True),
        ("hall.advisor", True),
        ("--lang zh", True),
        ("--lang=zh hall.advisor", True),
        ("--no-mouse", True),
        ("--lang zh diagnose hall.advisor", False),
        ("diagnose hall.advisor", False),
        ("--help", False),
        ("--version", False),
    ],
)
def test_what_opens_the_screens(words: str, opens: bool) -> None:
    assert opens_screens(words.split()) is opens


def test_every_command_is_told_from_a_site() -> None:
    (commands,) = [action for action in parser("en")._actions if isinstance(action, argparse._SubParsersAction)]
    assert set(commands.choices) == set(COMMANDS)
