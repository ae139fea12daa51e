"""One assessment is one SQLite file, NAME.advisor: bytes first, then readings, then what a person decided."""
