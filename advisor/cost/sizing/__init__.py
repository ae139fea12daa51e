"""Switches, cables and modules of a fabric that is built or grown: one engine for `advisor size` and for the estimates of a plan.

clos     the formulas. design, growth, planes: what they give for a fabric that is built, an installed one, and planes without spines.
optics   modules and cables. request: what a person states. answer: the figures for it. reference: bills that vendors publish.
"""
