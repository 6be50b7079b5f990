"""The state in PostgreSQL: one database of many teams, behind the same contract as SQLite. The extra `team`."""
