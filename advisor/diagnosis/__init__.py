"""Why: named measures, signatures over them, findings, the verdict with its evidence, the split of the loss, the next best probe."""
