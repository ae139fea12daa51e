"""Fabric Advisor: says why jobs of a shared GPU cluster are slow on the network, what to do, and what it costs.

The path of the evidence is the tree: captures become evidence, evidence becomes a fabric, a fabric carries traffic,
traffic explains a verdict, a verdict asks for remedies, remedies cost money, money makes a plan.
"""

__version__ = "0.1.0"
