"""Lines become facts: one module per command. A new capture format is one module here and its golden capture in tests/captures."""
