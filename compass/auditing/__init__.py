"""`compass audit`: where judged writes come from, how a person is asked about them, and where answers are kept."""
