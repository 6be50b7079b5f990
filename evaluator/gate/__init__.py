"""A check from its first step to its record: the steps in one list, and the run that they share."""
