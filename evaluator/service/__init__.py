"""The long-lived evaluator: transport alone. What a request means is passed in by the composition root."""
