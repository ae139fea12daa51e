"""Secrets in captured text: passwords, tokens and keys that somebody's environment, command line or configuration shows.

They are told by the name that they stand under, never by their looks: an id of a fabric looks as random as a key. What a report shows of a
capture goes through `veiled`; the capture itself stays as it came, as it is the evidence.
"""

import re

MARK = "[secret]"
# NAME_TOKEN, API-KEY, password ... as the last word of a name. `key` alone is a word of many tools (`Hash key`), so it needs a companion.
_WORD = (
    r"(?:token|secret|passw(?:or)?d|passwd|passphrase|pwd|credentials?|"
    r"(?:api|access|secret|private|auth|license|account|encryption|ssh|storage|signing|client)[_-]?key|(?-i:[A-Z0-9]{2,30}_KEY))"
)
_NAME = rf"[\w.-]{{0,64}}?{_WORD}(?:_?(?:id|file|path))?"
_PLACE = re.compile(r"(?:_?(?:file|path))\Z", re.IGNORECASE)  # where a secret lies is none
_VALUE = r"(?:\"[^\"\n]{0,4000}\"|'[^'\n]{0,4000}'|[^\s,;&\"'|)}\]]+)"
_PAIR = re.compile(
    rf"(?P<name>(?<![\w.-]){_NAME})(?P<between>[\"']?[ \t]{{0,20}}[=:][ \t]{{0,20}}|[ \t]+set by environment to\s+)(?P<value>{_VALUE})",
    re.IGNORECASE,
)
_OPTION = re.compile(rf"(?P<name>(?<![\w-])--?{_NAME})(?P<between>[ =]+)(?P<value>{_VALUE})", re.IGNORECASE)
_BEARER = re.compile(r"(?P<name>\b(?:Bearer|Basic))(?P<between>\s+)(?P<value>[\w.~+/=-]{8,})")
_IN_ADDRESS = re.compile(r"(?P<name>\b\w{1,20}://[^\s/:@]{0,100})(?P<between>:)(?P<value>[^\s/@:]{1,200})(?=@)")
# Lines of switches: `username admin password 5 $1$..`, `snmp-server community public RO`, `radius-server key 7 0A1B`.
_SWITCH = re.compile(
    r"(?P<name>\b(?:password|secret|community|(?:tacacs|radius|tacacs-server|radius-server)\b.{0,60}?\bkey|cipher|simple|pre-shared-key|md5))"
    r"(?P<between>\s+(?:(?:[057-9]|sha512|irreversible-cipher|cipher|simple|encrypted|plaintext|read|write)\s+){0,2})"
    r"(?P<value>\"[^\"\n]*\"|\S+)",
    re.IGNORECASE,
)
_SWITCH_LINE = re.compile(
    r"\b(?:username|user|enable|local-user|snmp-server|snmp-agent|tacacs\S*|radius\S*|authentication|aaa|ntp|password|set system)\b",
    re.IGNORECASE,
)
_ANY = re.compile(r"token|secret|passw|passphrase|pwd|credential|key|bearer|basic|://|community|cipher", re.IGNORECASE)


def is_secret(name: str) -> bool:
    """Whether what stands under a name is nobody else's business: `HF_TOKEN`, `AWS_SECRET_ACCESS_KEY`, `db.password`."""
    return re.fullmatch(_NAME, name, re.IGNORECASE) is not None and not _PLACE.search(name)


def veiled(text: str) -> str:
    """A captured line with a mark in place of every secret in it."""
    if not _ANY.search(text):
        return text
    for pattern in (_OPTION, _PAIR, _BEARER, _IN_ADDRESS):
        text = pattern.sub(_marked, text)
    if _SWITCH_LINE.search(text):
        text = _SWITCH.sub(_marked, text)
    return text


def _marked(found: re.Match[str]) -> str:
    if _PLACE.search(found["name"]) or found["value"] in (MARK, MARK[:-1]):
        return found[0]
    return f"{found['name']}{found['between']}{MARK}"
