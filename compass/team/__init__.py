"""A team's evaluator: its service on PostgreSQL, and what administrators ask of it.

Imported by `compass team` and `compass serve --team` alone. What a laptop sends and reads stands in
`evaluator.readers.team`.
"""
