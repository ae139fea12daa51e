"""What happens to an assessment when the program, the power, the disk or another program cuts in: nothing confirmed is lost."""
