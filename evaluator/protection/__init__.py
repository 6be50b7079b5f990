"""Self-protection: what an agent may not do to the gate itself. Pure; files are looked at through functions."""
