"""What to do: remedies as data, and the ladder of those that fit this diagnosis, free first."""
