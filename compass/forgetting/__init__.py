"""What `compass forget` erases: rows of the state, lines of the event log, and files that hold what was said."""
