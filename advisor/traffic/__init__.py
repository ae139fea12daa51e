"""A cluster carries jobs: what they send, how links are shared, and what would be if something were changed."""
