"""One document tree, many forms."""
