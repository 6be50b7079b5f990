"""git and the forges, where words choose between rows."""
