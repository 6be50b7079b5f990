"""The rules, a family in each module: plain functions over a `Case`, each with its example and its precision."""
