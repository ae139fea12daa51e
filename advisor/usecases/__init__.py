"""What a person can do: one function each, typed, without printing and without widgets, with a progress callback."""
