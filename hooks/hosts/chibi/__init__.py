"""chibi, a client in Rust that asks plugins: executables in a folder of its own."""

SHAPES = ({"hook": "", "data": ""},)
"""Of a call, as `hooks.recognising` reads it."""
