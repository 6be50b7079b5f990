"""What an administrator asks a team's evaluator, over HTTP with a token of theirs."""
