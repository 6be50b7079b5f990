"""A team's evaluator as readers: the login that is kept, the line to the service, and the samples that it answers."""
