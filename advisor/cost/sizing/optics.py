"""Modules and cables of links. An OSFP cage of 2x400G or 2x800G takes one twin-port module for two links (NVIDIA's SuperPOD bills)."""

from math import ceil

LINKS_OF_A_TWIN = 2


def twin_port_modules(links: int) -> int:
    """Twin-port modules at both ends of links between switches."""
    return 2 * ceil(links / LINKS_OF_A_TWIN)


def node_side_modules(nodes: int, ports_per_node: int) -> int:
    """Twin-port modules of hosts whose cages hold two links each: no cage is shared between hosts."""
    return nodes * ceil(ports_per_node / LINKS_OF_A_TWIN)


def switch_side_modules(links_to_nodes: int, links_between_switches: int) -> int:
    """Twin-port modules of switches for the ports in use: hosts' links on one side, links between switches on both."""
    return ceil(links_to_nodes / LINKS_OF_A_TWIN) + twin_port_modules(links_between_switches)


def every_cage(switches: int, radix: int) -> int:
    """Twin-port modules that fill every cage, as published bills count them."""
    return switches * ceil(radix / LINKS_OF_A_TWIN)


def cables(links: int, links_per_cable: int) -> int:
    return ceil(links / links_per_cable)
