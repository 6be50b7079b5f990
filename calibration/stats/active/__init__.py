"""Rates from few answers, asked where the judge is unsure."""
