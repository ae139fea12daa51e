"""Switches, cables and modules of a fabric that is built or grown: one engine for `advisor size` and for the estimates of a plan.

clos      the formulas. design, growth, planes: a fabric that is built, an installed one, and planes without spines (values: model).
optics    modules and cables. request, answer: what a person states, and the parts that follow; figures, facility: their keys.
reference bills that vendors publish. impossible: what cannot be built, as a sentence.
"""
