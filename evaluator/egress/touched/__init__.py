"""What a change touches, without its text: the names of definitions and identifiers, and its size in lines."""
