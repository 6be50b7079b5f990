"""How the command line is read and how it answers a mistake."""
