"""What a team's evaluators share, in PostgreSQL: one module for each thing that is kept, and the store over them."""
