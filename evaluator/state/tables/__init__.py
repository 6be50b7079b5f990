"""The tables of the state, as SQL inside a transaction of the caller."""
