"""The HTTP API of a team's evaluator: transport alone. What an evaluation is stands in `evaluator.team`."""
