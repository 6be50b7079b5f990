"""What calibration computes: numpy and the standard library, no I/O, and randomness only from a Generator given.

numpy alone rather than scipy: the three functions that were missing are forty lines in `special.py`.
"""
