"""What `compass doctor` looks at: one small function per finding, none of which changes anything it finds."""
