"""Input from strangers: whatever the bytes, intake and readers neither raise nor hang, and every line stays accounted for."""
