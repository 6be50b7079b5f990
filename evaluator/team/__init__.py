"""A team's evaluator: who may ask, what an evaluation costs and how it is shared. Knows no HTTP and no SQL."""
