"""chibi, a client in Rust that asks plugins: executables in a folder of its own."""

SHAPES = ({"hook": "", "data": ""},)
"""Of a call, as `hooks.recognising` reads it."""
RECORDED = ({"entry_type": "", "from": "", "to": ""},)
"""The shapes of a line that tells a session's file, or of a whole file that is one document."""
