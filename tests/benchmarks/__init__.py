"""Ours beside other projects, on the same made-up inputs, in one run: `make bench`. Held are ratios, never seconds."""
