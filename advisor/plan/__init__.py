"""In which order, and did it help."""
