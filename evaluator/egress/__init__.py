"""What leaves the machine and what comes back: evidence, excerpts, sanitizer, prompt, answer."""
