"""What the program knows of each backend: one record a backend, one module a record."""
