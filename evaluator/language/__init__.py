"""What a text says (`words`, `clauses`, `views`) and what a write would change (`change`). Judged elsewhere."""
