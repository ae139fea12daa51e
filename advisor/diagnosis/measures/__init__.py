"""Measures, one module for each room of the site. Each finds its own: a new module here is loaded by itself (diagnosis/measured)."""
