"""What calibration computes: numpy and the standard library, no I/O, and randomness only from a Generator given.

numpy alone rather than scipy: the functions of the beta distribution that it lacks are forty lines in `estimates.py`.
"""
