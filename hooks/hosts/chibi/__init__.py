"""chibi, a client in Rust that asks plugins: executables in a folder of its own."""
