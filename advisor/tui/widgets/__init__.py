"""What draws rows and words in cells of a terminal. Every text goes through `paint`, where it loses what could act."""
