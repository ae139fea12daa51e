"""What was observed: an origin for every figure, readings of captures, and the bundle of all of them."""
