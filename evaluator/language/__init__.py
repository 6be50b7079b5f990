"""What a text says and what a write would change, in words: read here, judged elsewhere. Knows no rule."""
