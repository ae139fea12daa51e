"""From models to rows and words. Nothing here knows a terminal: what a stage shows can be tested without one."""
