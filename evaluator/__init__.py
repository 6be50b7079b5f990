"""The core: what a check is, how it is judged and where it is kept. Imports nothing by itself."""
