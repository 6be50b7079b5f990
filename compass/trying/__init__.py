"""What `compass try` plays: a scratch project, a scripted exchange, and the real gate's answers to it."""
