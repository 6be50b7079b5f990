"""The language of the program tables: the row, the wrapper, and how a call is read against them."""
