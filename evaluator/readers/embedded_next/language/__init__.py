"""Words, clauses and views of texts, for the rules. Decides nothing."""
