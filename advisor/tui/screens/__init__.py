"""One screen for each stage of the walk, and the dialogs. They hold keys and places; what they show comes from `views`."""
