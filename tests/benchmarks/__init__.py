"""Our readers beside those of other projects, on the same made-up captures, in one run: `make bench`. Held are ratios, never seconds."""
