"""Audits of the user's own traffic: which judged writes to ask about, what was answered, what follows."""
