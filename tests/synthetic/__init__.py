"""Synthetic sites with known truth: a small model of the physics makes figures, figures become captures as tools print them."""
